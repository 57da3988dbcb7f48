import type { CallAnswer, ErrorCode } from '@anteroom/contract';
import { contextAt, logoutContextAt, siteNamed } from '@anteroom/testkit/scripted/opening-scene';
import { startScriptedIdentity } from '@anteroom/testkit/scripted/scripted-identity';
import type { ScriptedIdentity } from '@anteroom/testkit/scripted/scripted-identity';
import type { Reply } from '@anteroom/testkit/scripted/script';
import type { Account, AccountKind, Scenario } from '../src/scenario.ts';
import type { Visitor } from '../src/visitor.ts';

const sites = { open: 'harbor', federated: 'corp', saml: 'lakeside', unknown: 'no-such-site' } as const;
const known: readonly string[] = ['harbor', 'northwind', sites.federated, sites.saml];
const federated: readonly string[] = [sites.federated, sites.saml];
const codeValidityMinutes = 10;
const mostGuesses = 5;
const waitSeconds = 30;
/** Where a finished sign-in goes on. */
const finished = '/connect/done';

type Person = Account & { kind: AccountKind };

/** Where the one browser stands that a script plays with. */
interface Stand {
  visitor?: Visitor;
  returnUrl?: string | undefined;
  prompt?: string | undefined;
  person?: Person | undefined;
  isSignedIn: boolean;
  authSite?: string | undefined;
  isFollowed?: boolean;
  code?: { digits: string; sentAt: number; guesses: number };
}

const fails = (code: ErrorCode, retryAfterSeconds?: number) => ({
  error: { code },
  ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }),
});

/**
 * The scripted service of the front end's journeys, told to say what the real one says. What the journeys rely on besides their scripts is
 * held to the rules here: transport, cookies, anti-forgery, what is read of a request, and who is let in.
 */
export async function startScriptedService(): Promise<{ scenario: Scenario; close: () => Promise<void> }> {
  let stand: Stand = { isSignedIn: false };
  const identity = await startScriptedIdentity(({ pathname }) => {
    if (pathname === finished) stand.isFollowed = true;
    return false;
  });
  const { places } = identity;
  const people: Person[] = [];
  let seconds = 0;
  let uid = 0;

  function renew(visitor: Visitor): void {
    if (stand.visitor === visitor) return;
    identity.reset();
    stand = { visitor, isSignedIn: false };
    play(
      identity,
      people,
      () => stand,
      () => seconds,
    );
  }

  const scenario: Scenario = {
    origin: places.service,
    clientId: 'director',
    sites,
    createAccount: async (kind) => {
      const phoneNumber = kind === 'code' ? '+447700900142' : undefined;
      const person: Person = {
        kind,
        userName: `person-${people.length}@verify.example`,
        password: 'quiet harbor morning 74',
        sites: kind === 'code' ? ['harbor', 'northwind'] : ['harbor'],
        ...(phoneNumber && { phoneNumber }),
      };
      people.push(person);
      // what the caller knows of the account stays as it is
      return Promise.resolve({ ...person });
    },
    beginSignIn: async (visitor, { prompt } = {}) => {
      renew(visitor);
      uid += 1;
      const name = `sign-in-of-the-script-${uid}`;
      Object.assign(stand, { prompt, returnUrl: `/connect/authorize/${name}?client_id=director` });
      return Promise.resolve(stand.returnUrl ?? '');
    },
    readCode: async () => Promise.resolve(stand.code?.digits ?? ''),
    beginSignOut: async (visitor) => {
      renew(visitor);
      const address = logoutContextAt(places).postLogoutRedirectUri ?? '';
      return Promise.resolve({ logoutId: 'lo-1', address });
    },
    causeError: async (visitor) => {
      renew(visitor);
      return Promise.resolve('e-1');
    },
    advanceSeconds: (more) => void (seconds += more),
  };
  return { scenario, close: identity.close };
}

function play(
  { script, places }: ScriptedIdentity,
  people: readonly Person[],
  now: () => Stand,
  clock: () => number,
): void {
  const isOpen = (returnUrl: string | undefined): boolean =>
    returnUrl !== undefined && returnUrl === now().returnUrl;

  function describe(site?: string): CallAnswer<'getAuthContext'> {
    const { prompt, person, isSignedIn, authSite, returnUrl, code } = now();
    const isKept = isSignedIn && prompt !== 'switch_tenant';
    const name = isKept ? authSite : known.find((one) => one === site);
    const defaultSite = prompt === 'switch_tenant' ? undefined : name;
    const promptMethod = prompt as CallAnswer<'getAuthContext'>['promptMethod'];
    return contextAt(places, {
      defaultSite,
      identityServiceUrl: defaultSite && places.service,
      promptMethod,
      userName: isKept ? person?.userName : undefined,
      allowUserNameEntry: !isKept,
      selectSite: isKept && prompt === 'switch_site',
      returnUrl,
      mfaPhoneNumberSuffix: code && person?.phoneNumber?.slice(-2),
      session: {
        state: isKept ? 'valid' : 'none',
        authSite: isKept ? authSite : undefined,
        isExternallyAuthenticated: false,
      },
    });
  }

  function complete(person: Person, authSite = person.sites[0]): { answer: CallAnswer<'authenticate'> } {
    Object.assign(now(), { isSignedIn: true, authSite, isFollowed: false });
    // somebody who is there is asked no more: the browser goes on to the application
    return { answer: { status: 'redirect', location: `${places.service}${finished}` } };
  }

  function send(): void {
    const digits = String((clock() * 7919 + 424_242) % 1_000_000).padStart(6, '0');
    now().code = { digits, sentAt: clock(), guesses: 0 };
  }

  script.reply('getAuthContext', ({ query }) =>
    isOpen(query.returnUrl) ? { answer: describe(query.site) } : fails('not_found'),
  );
  script.reply('getRefreshContext', () => ({ answer: describe() }));
  script.reply('getSiteExistence', ({ params }) => ({
    answer: known.includes(params.name)
      ? { siteExists: true, identityServiceUrl: places.service }
      : { siteExists: false },
  }));
  const siteSettings = ({ site }: { site: string }) => ({ allowPasswordEntry: !federated.includes(site) });
  script.answer('getSiteSettings', ({ query }) => siteSettings(query));
  script.answer('postSiteSettings', ({ body }) => siteSettings(body));
  const userSettings = ({ site = '' }: { site?: string | undefined }) => ({
    shouldRedirectToExternalAuth: federated.includes(site),
  });
  script.answer('getUserSettings', ({ query }) => userSettings(query));
  script.answer('postUserSettings', ({ body }) => userSettings(body));
  const redirect = ({
    site = '',
    returnUrl,
  }: {
    site?: string | undefined;
    returnUrl?: string | undefined;
  }) =>
    isOpen(returnUrl) && federated.includes(site)
      ? { answer: { location: `${places.application}/enterprise-sign-in` } }
      : fails('not_found');
  script.reply('getExternalRedirect', ({ query }) => redirect(query));
  script.reply('getSamlSso', ({ query }) => redirect(query));
  script.reply('getSamlMetadata', ({ params }) =>
    params.sitename === sites.saml
      ? { answer: '<EntityDescriptor xmlns="urn:oasis:names:tc:SAML:2.0:metadata"/>' }
      : fails('not_found'),
  );
  script.reply('authenticate', ({ body }): Reply<'authenticate'> => {
    if (!isOpen(body.returnUrl)) return fails('not_found');
    if (body.userName === undefined) return fails('validation_failed');
    const person = people.find(({ userName }) => userName === body.userName);
    if (person?.password !== body.password || !person.sites.includes(body.site ?? ''))
      return fails('invalid_credentials');
    now().person = person;
    if (person.kind === 'password-change') return { answer: { status: 'password_reset_required' } };
    if (person.kind === 'password') return complete(person);
    send();
    const suffix = person.phoneNumber?.slice(-2);
    return {
      answer: {
        status: 'second_factor_required',
        mfaPhoneNumberSuffix: suffix,
        mfaCodeValidityInMinutes: codeValidityMinutes,
      },
    };
  });
  script.reply('verifyMfaCode', ({ body }) => {
    const { person, code } = now();
    if (!isOpen(body.returnUrl)) return fails('not_found');
    if (!person || !code) return fails('unauthorized');
    if (clock() - code.sentAt > codeValidityMinutes * 60) return fails('mfa_token_expired');
    if (code.guesses >= mostGuesses) return fails('mfa_max_attempts_exceeded');
    if (body.code === code.digits) return complete(person);
    code.guesses += 1;
    return fails(code.guesses < mostGuesses ? 'invalid_credentials' : 'mfa_max_attempts_exceeded');
  });
  script.reply('resendMfaCode', ({ body }) => {
    const { code } = now();
    if (!isOpen(body.returnUrl)) return fails('not_found');
    if (!code) return fails('unauthorized');
    const wait = code.sentAt + waitSeconds - clock();
    if (wait > 0) return fails('rate_limit_reached', wait);
    send();
    return { retryAfterSeconds: waitSeconds };
  });
  script.reply('passwordReset', ({ body }) => {
    const { person } = now();
    if (person?.kind !== 'password-change') return fails('unauthorized');
    if (body.newPassword !== body.newPasswordConfirmation) return fails('passwords_do_not_match');
    if (body.currentPassword !== person.password) return fails('invalid_credentials');
    if (body.newPassword.length < 15) return fails('invalid_new_password');
    Object.assign(person, { password: body.newPassword, kind: 'password' });
    return complete(person);
  });
  script.answer('getSites', () => ({
    sites: (now().person?.sites ?? []).map((name) => siteNamed(name, name)),
    userFirstName: 'Ada',
    userLastName: 'Verify',
    boardsUserName: 'ada',
    directorToDoItemsEnabled: true,
  }));
  const nothing = {
    pendingVoteCount: 0,
    openQuestionnairesCount: 0,
    directorHomePageEnabled: true,
    minutesCount: 0,
    actionItemsCount: 0,
  };
  script.reply('getSiteTodo', ({ params }) =>
    now().person?.sites.includes(params.site) ? { answer: nothing } : fails('not_found'),
  );
  script.reply('selectSite', ({ body }) => {
    const { person } = now();
    return person?.sites.includes(body.site) ? complete(person, body.site) : fails('not_found');
  });
  script.answer('getRetry', () => {
    const { isSignedIn, isFollowed } = now();
    return { retry: isSignedIn && isFollowed === false };
  });
  script.reply('getPostLoginRedirect', ({ query }) =>
    isOpen(query.returnUrl)
      ? { answer: { location: `${places.service}${finished}` } }
      : fails('validation_failed'),
  );
  script.reply('getErrorMessage', ({ query }) =>
    query.errorId === 'e-1'
      ? { answer: { error: 'access_denied', correlationId: 'c-1', timestamp: '2026-11-20T09:30:00Z' } }
      : fails('not_found'),
  );
}
