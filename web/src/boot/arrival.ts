import type { PageRoute } from '@anteroom/contract/page-routes';
import type { Arrival, Entry } from '../flow/model.ts';
import { steps } from '../flow/model.ts';
import { findRoute, recoveryPages } from '../paths.ts';
import type { RecoveryPage } from '../paths.ts';

/** The pages that stand beside the flow of a sign-in. */
export type PageBeside = RecoveryPage | 'account' | 'passkey';

/** What the visitor's address says, read once. */
export interface ParsedArrival extends Omit<Arrival, 'entry'> {
  entry: Entry | { kind: 'beside'; page: PageBeside };
  skipSplash: boolean;
  returnUrl: string | undefined;
  /** The language that a recovery link names (specification, point 7). */
  culture: string | undefined;
}

/** A query parameter by its name without regard to case. */
export function findParameter(search: URLSearchParams, name: string): string | undefined {
  return [...search].find(([key]) => key.toLowerCase() === name.toLowerCase())?.[1];
}

/** Reads the address of the page. An empty path goes on to account/login; any path that is no route shows the error page. */
export function parseArrival(address: URL): ParsedArrival {
  const search = address.searchParams;
  const has = (name: string): boolean => findParameter(search, name) !== undefined;
  const entry = entryOf(findRoute(address.pathname) ?? 'not below the base', search);
  return {
    entry,
    culture: entry.kind === 'beside' ? findParameter(search, 'culture') : undefined,
    returnUrl: findParameter(search, 'ReturnUrl'),
    skipSplash: has('skip_splash'),
    skipLogoutDelay: has('skip_logout_delay'),
  };
}

/** The contract's routes that the switch below must name: the others go by their folder, or are the error page. */
type RouteByName = Exclude<PageRoute, `login-wizard/${string}` | `recovery/${string}` | 'home/error'>;

function entryOf(route: string, search: URLSearchParams): ParsedArrival['entry'] {
  const recoveryPage = recoveryPages.find((page) => route === `recovery/${page}`);
  if (recoveryPage) return { kind: 'beside', page: recoveryPage };
  switch (route as RouteByName | 'index.html') {
    case '':
    case 'index.html':
    case 'account/login':
      return { kind: 'login' };
    case 'account':
      return { kind: 'beside', page: 'account' };
    case 'account/logout':
    case 'account/logged-out':
      return { kind: 'logout', logoutId: findParameter(search, 'logoutId') };
    case 'account/passkey':
      return { kind: 'beside', page: 'passkey' };
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
      // a deep link to a step ends on the step that the context asks for
      if (steps.some((step) => route === `login-wizard/${step}`)) return { kind: 'login' };
      if (route === 'home/error') return { kind: 'error', errorId: findParameter(search, 'errorId') };
      return { kind: 'error', errorId: undefined, reason: 'address' };
  }
}
