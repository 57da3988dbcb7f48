import type { PageRoute } from '@anteroom/contract/page-routes';
import type { Arrival, Entry } from '../flow/model.ts';
import { steps } from '../flow/model.ts';
import { findRoute, recoveryPages } from '../paths.ts';
import type { RecoveryPage } from '../paths.ts';
import { findParameter } from '../query.ts';

/** The pages outside the sign-in flow. */
export type StandalonePage = RecoveryPage | 'account' | 'passkey';

/** The parsed address of the page. */
export interface ParsedArrival extends Omit<Arrival, 'entry'> {
  entry: Entry | { kind: 'standalone'; page: StandalonePage };
  skipSplash: boolean;
  returnUrl: string | undefined;
  /** The language in a recovery link (specification, point 7). */
  culture?: string | undefined;
}

/** Parses the address of a page. The empty path becomes account/login; an unknown path shows the error page. */
export function parseArrival(address: URL): ParsedArrival {
  const search = address.searchParams;
  const entry = entryOf(findRoute(address.pathname) ?? 'not below the base', search);
  const culture = entry.kind === 'standalone' ? findParameter(search, 'culture') : undefined;
  return { ...parseSignInArrival(address), entry, culture };
}

/** Parses the address of a page that can only be a sign-in. */
export function parseSignInArrival({ searchParams: search }: URL): ParsedArrival {
  const has = (name: string): boolean => findParameter(search, name) !== undefined;
  return {
    entry: { kind: 'login' },
    returnUrl: findParameter(search, 'ReturnUrl'),
    skipSplash: has('skip_splash'),
    skipLogoutDelay: has('skip_logout_delay'),
  };
}

/**
 * The routes of the contract that the switch below must handle. The others are handled by their folder or show the
 * error page.
 */
type RouteByName = Exclude<PageRoute, `login-wizard/${string}` | `recovery/${string}` | 'home/error'>;

function entryOf(route: string, search: URLSearchParams): ParsedArrival['entry'] {
  const recoveryPage = recoveryPages.find((page) => route === `recovery/${page}`);
  if (recoveryPage) return { kind: 'standalone', page: recoveryPage };
  switch (route as RouteByName | 'index.html') {
    case '':
    case 'index.html':
    case 'account/login':
      return { kind: 'login' };
    case 'account':
      return { kind: 'standalone', page: 'account' };
    case 'account/logout':
    case 'account/logged-out':
      return { kind: 'logout', logoutId: findParameter(search, 'logoutId') };
    case 'account/passkey':
      return { kind: 'standalone', page: 'passkey' };
    case 'home/version':
      return { kind: 'home', page: 'version' };
    case 'home/require-verified-login-email':
    case 'home/require_verified_email':
      return { kind: 'home', page: 'require-verified-login-email' };
    case 'home/sample-destination-url':
      return { kind: 'home', page: 'sample-destination-url' };
    case 'home/cancel-redirect-uri':
      return { kind: 'cancel-redirect-uri' };
    default:
      // A deep link to a step ends on the step that the context requires.
      if (steps.some((step) => route === `login-wizard/${step}`)) return { kind: 'login' };
      if (route === 'home/error') return { kind: 'error', errorId: findParameter(search, 'errorId') };
      return { kind: 'error', errorId: undefined, reason: 'address' };
  }
}
