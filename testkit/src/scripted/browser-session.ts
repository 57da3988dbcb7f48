import { createSecretKey, randomBytes } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { createAntiForgery } from '@anteroom/identity/http/anti-forgery';
import { createBrowserCookies, findSingleCookie } from '@anteroom/identity/http/cookies';
import { ContractError } from '@anteroom/identity/http/errors';
import { secureRandom } from '@anteroom/identity/lib/random';
import type { AnyReply } from './script.ts';
import type { ScriptedName } from './scripted-calls.ts';

/** Calls that create a session if the browser has none, as in the real service; the response sets the anti-forgery cookie. */
const opening: ReadonlySet<ScriptedName> = new Set([
  'getAuthContext',
  'getRefreshContext',
  'getLogoutContext',
  'getRecoveryContext',
  'getAccount',
]);
const forPeople: ReadonlySet<ScriptedName> = new Set(['getSites', 'getSiteTodo', 'selectSite']);
const steps: ReadonlySet<ScriptedName> = new Set([
  'authenticate',
  'verifyMfaCode',
  'signInWithPasskey',
  'passwordReset',
  'selectSite',
]);

/** All services of the process share the keys, because browsers share the cookies of a host between its ports. */
const keyRing = [createSecretKey(randomBytes(32))] as const;

/**
 * The session of the scripted browser: the responses so far decide whether a user is signed in. Cookies and the
 * anti-forgery check are those of the real service.
 */
export function createBrowserSession(serviceUrl: string) {
  const cookies = createBrowserCookies(serviceUrl);
  const antiForgery = createAntiForgery({
    keyRing,
    random: secureRandom,
    cookies,
    publicOrigin: serviceUrl,
    regionOrigins: [],
  });
  let isSignedIn = false;

  function give(session: string): string[] {
    return [cookies.session(session), cookies.antiForgery(antiForgery.issue(session))];
  }

  return {
    requireOwnPage: antiForgery.require,

    /** @throws `unauthorized` for calls that need a signed-in user */
    requireUser(name: ScriptedName): void {
      if (forPeople.has(name) && !isSignedIn) throw new ContractError('unauthorized');
    },

    /** Updates the session after a response. Returns the cookies to set. */
    note(name: ScriptedName, reply: AnyReply, headers: IncomingHttpHeaders): string[] {
      const { error, rawBody, isCut, isCutHalfway } = reply;
      if (error ?? isCut ?? isCutHalfway) return [];
      const answer = rawBody === undefined ? reply.answer : parse(rawBody);
      if (name === 'signOut') {
        isSignedIn = false;
        return Object.values(cookies.forgotten());
      }
      if (steps.has(name) && !isSignedIn && beginsSession(answer)) {
        isSignedIn = true;
        return give(secureRandom.token());
      }
      if (!opening.has(name)) return [];
      isSignedIn = stateOf(answer) === undefined ? isSignedIn : stateOf(answer) === 'valid';
      const session = findSingleCookie(headers.cookie, cookies.sessionName);
      if (session === undefined) return give(secureRandom.token());
      return antiForgery.holdsValid(headers, session) ? [] : give(session);
    },

    reset(): void {
      isSignedIn = false;
    },
  };
}

/** Whether the answer means that the user is signed in. The remaining steps need a signed-in user. */
function beginsSession(answer: unknown): boolean {
  const status = (answer as { status?: string } | undefined)?.status?.toLowerCase();
  return status === 'redirect' || status === 'select_site_required' || status === 'password_required';
}

function stateOf(answer: unknown): string | undefined {
  return (answer as { session?: { state?: string } } | undefined)?.session?.state?.toLowerCase();
}

/** Parses a raw body, which can be JSON even if it violates the contract on purpose. */
function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
