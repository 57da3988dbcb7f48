import type { CallAnswer, ErrorCode } from '@anteroom/contract';
import { contextAt, logoutContextAt, siteNamed } from '@anteroom/testkit/scripted/opening-scene';
import { startScriptedIdentity } from '@anteroom/testkit/scripted/scripted-identity';
import type { ScriptedIdentity } from '@anteroom/testkit/scripted/scripted-identity';
import type { Reply } from '@anteroom/testkit/scripted/script';
import type { Account, AccountKind, Prompt } from '../src/scenario.ts';
import { serveControls } from './controls.ts';
import type { StartedService } from './controls.ts';

const sites = { open: 'harbor', federated: 'corp', saml: 'lakeside', unknown: 'no-such-site' } as const;
const known: readonly string[] = ['harbor', 'northwind', sites.federated, sites.saml];
const federated: readonly string[] = [sites.federated, sites.saml];
const codeValidityMinutes = 10;
const mostGuesses = 5;
const waitSeconds = 30;

const mostWrongPasswords = 5;
const mostUnknownSites = 100;
const unknownSitesWindowSeconds = 3600;
/** The front end of another region. */
export const regionOrigin = 'https://eu.id.example';
const browserCookie = 'script_browser';

type Person = Account & { kind: AccountKind; wrongPasswords: number };

interface Visit {
  returnUrl: string;
  prompt?: Prompt | undefined;
  isFinished: boolean;
  isFollowed: boolean;
}

/** The state of the single browser that a script supports. */
interface BrowserState {
  /** The value of the browser's session cookie. */
  browser: string;
  /** The sign-ins of this browser by the path of their return address, the newest last. */
  visits: Map<string, Visit>;
  person?: Person | undefined;
  isSignedIn: boolean;
  authSite?: string | undefined;
  code?: { digits: string; sentAt: number; guesses: number } | undefined;
}

const organisationOf = (name: string) => ({
  displayName: `Board of ${name}`,
  logoPath: `/logos/${name}.svg`,
});

const fails = (code: ErrorCode, retryAfterSeconds?: number) => ({
  error: { code },
  ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }),
});

/**
 * The scripted service of the front end's journeys, scripted like the real service. The rules check what the journeys
 * depend on besides their scripts: transport, cookies, anti-forgery, request parsing and access control. It supports
 * one browser at a time: a request of another browser ends the state of the first.
 */
export async function startScriptedService(): Promise<StartedService> {
  const people: Person[] = [];
  let browsers = 0;
  let visits = 0;
  let seconds = 0;
  const siteGuesses = { count: 0, since: 0 };
  let state: BrowserState = { browser: '', isSignedIn: false, visits: new Map() };
  const isCurrentBrowser = (cookie = ''): boolean => cookie.includes(`${browserCookie}=${state.browser};`);

  const identity = await startScriptedIdentity(
    ({ pathname, searchParams }, response, _identity, request) => {
      const go = (location: string): boolean => {
        response.writeHead(302, { location }).end();
        return true;
      };
      if (pathname === '/connect/session/end') return go('/ui/account/logout?logoutId=lo-1');
      if (searchParams.get('redirect_uri') === 'elsewhere') return go('/ui/home/error?errorId=e-1');
      if (pathname === '/connect/authorize') {
        if (!isCurrentBrowser(`${request.headers.cookie ?? ''};`)) renew();
        response.setHeader('Set-Cookie', `${browserCookie}=${state.browser}; Path=/; SameSite=Lax; HttpOnly`);
        visits += 1;
        const path = `/connect/authorize/sign-in-of-the-script-${visits}`;
        const returnUrl = `${path}?client_id=director`;
        const prompt = searchParams.get('prompt') as Prompt | null;
        state.visits.set(path, {
          returnUrl,
          prompt: prompt ?? undefined,
          isFinished: false,
          isFollowed: false,
        });
        return go(`/ui/account/login?ReturnUrl=${encodeURIComponent(returnUrl)}`);
      }
      const visit = state.visits.get(pathname);
      if (!visit?.isFinished) return false;
      visit.isFollowed = true;
      return go(`${urls.application}/arrived`);
    },
    [regionOrigin],
  );
  const { urls } = identity;

  function renew(): void {
    browsers += 1;
    identity.reset();
    state = { browser: `b${browsers}`, isSignedIn: false, visits: new Map() };
    const notice = (cookie: string | undefined): void => {
      if (!isCurrentBrowser(`${cookie ?? ''};`)) renew();
    };
    play(identity, { people, siteGuesses, now: () => state, clock: () => seconds, notice });
  }

  const controls = await serveControls({
    createAccount: async (kind) => {
      const phoneNumber = kind === 'code' ? '+447700900142' : undefined;
      const person: Person = {
        kind,
        userName: `person-${people.length}@verify.example`,
        password: 'quiet harbor morning 74',
        sites: kind === 'code' ? ['harbor', 'northwind'] : ['harbor'],
        wrongPasswords: 0,
        ...(phoneNumber && { phoneNumber }),
      };
      people.push(person);
      return Promise.resolve(person);
    },
    readCode: async () => Promise.resolve(state.code?.digits ?? ''),
    advanceSeconds: (more) => void (seconds += more),
  });
  return {
    url: urls.service,
    scenario: {
      clientId: 'director',
      sites: { ...sites, foreign: sites.federated },
      offers: ['organisations', 'finished sign-ins'],
      regionOrigin,
      signIn: '/connect/authorize',
      signOut: {
        address: '/connect/session/end',
        returnsTo: logoutContextAt(urls).postLogoutRedirectUri ?? '',
      },
      error: '/connect/authorize?redirect_uri=elsewhere',
      ...controls.actions,
    },
    close: async () => {
      await controls.close();
      await identity.close();
    },
  };
}

function play(
  { script, urls, received }: ScriptedIdentity,
  {
    people,
    siteGuesses,
    now,
    clock,
    notice,
  }: {
    people: readonly Person[];
    /** Look-ups of unknown sites in a window of time. */
    siteGuesses: { count: number; since: number };
    now: () => BrowserState;
    clock: () => number;
    /** Called with the cookies of a browser that opens the sign-in page. */
    notice: (cookie: string | undefined) => void;
  },
): void {
  /** The visitor can change the query of a return address, so only its path counts. */
  const findVisit = (returnUrl = ''): Visit | undefined =>
    returnUrl.startsWith('/') ? now().visits.get(new URL(returnUrl, urls.service).pathname) : undefined;
  const isOpen = (returnUrl: string | undefined): boolean => findVisit(returnUrl)?.isFollowed === false;

  function describe(visit: Visit | undefined, asked?: string): CallAnswer<'getAuthContext'> {
    const { person, isSignedIn, authSite, code } = now();
    const { prompt, returnUrl, isFollowed } = visit ?? {};
    const site = asked?.toLowerCase();
    const isKept = isSignedIn && prompt !== 'switch_tenant';
    const name = isKept ? authSite : known.find((one) => one === site);
    const defaultSite = prompt === 'switch_tenant' ? undefined : name;
    return contextAt(urls, {
      defaultSite,
      defaultSiteDisplayName: defaultSite && organisationOf(defaultSite).displayName,
      defaultSiteLogoPath: defaultSite && organisationOf(defaultSite).logoPath,
      finishedLocation: isFollowed ? `${urls.application}/home` : addressToFollow(visit),
      identityServiceUrl: defaultSite && urls.service,
      promptMethod: prompt === 'login' ? undefined : prompt,
      reauthRequested: isKept && prompt === 'login',
      userName: isKept ? person?.userName : undefined,
      allowUserNameEntry: !isKept,
      selectSite: isKept && (prompt === 'switch_site' || authSite === undefined),
      returnUrl,
      mfaPhoneNumberSuffix: code && person?.phoneNumber?.slice(-2),
      session: {
        state: isKept ? 'valid' : 'none',
        authSite: isKept ? authSite : undefined,
        isExternallyAuthenticated: false,
      },
    });
  }

  const addressToFollow = (visit: Visit | undefined): string | undefined =>
    visit?.isFinished ? `${urls.service}${visit.returnUrl}` : undefined;

  function complete(
    person: Person,
    returnUrl: string | undefined,
    authSite = person.sites[0],
  ): { answer: CallAnswer<'authenticate'> } {
    const visit = findVisit(returnUrl);
    person.wrongPasswords = 0;
    // The session also finishes sign-ins in other tabs, except those that require their own authentication.
    for (const other of now().visits.values()) other.isFinished ||= other.prompt === undefined;
    if (visit) visit.isFinished = true;
    Object.assign(now(), { isSignedIn: true, authSite });
    return { answer: { status: 'redirect', location: addressToFollow(visit) } };
  }

  function send(): void {
    const digits = String((clock() * 7919 + 424_242) % 1_000_000).padStart(6, '0');
    now().code = { digits, sentAt: clock(), guesses: 0 };
  }

  script.reply('getAuthContext', ({ query }) => {
    notice(received('getAuthContext').at(-1)?.headers['cookie']?.toString());
    const visit = findVisit(query.returnUrl);
    return visit ? { answer: describe(visit, query.site) } : fails('not_found');
  });
  script.reply('getRefreshContext', () => {
    const visit = [...now().visits.values()].at(-1);
    return visit ? { answer: describe(visit) } : fails('not_found');
  });
  script.reply('getSiteExistence', ({ params }) => {
    const name = params.name.toLowerCase();
    const waitSeconds = siteGuesses.since + unknownSitesWindowSeconds - clock();
    if (waitSeconds <= 0) Object.assign(siteGuesses, { count: 0, since: clock() });
    if (siteGuesses.count >= mostUnknownSites) return fails('rate_limit_reached', waitSeconds);
    if (!known.includes(name)) siteGuesses.count += 1;
    const site = { siteExists: true, identityServiceUrl: urls.service, name, ...organisationOf(name) };
    return { answer: known.includes(name) ? site : { siteExists: false } };
  });
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
      ? { answer: { location: `${urls.application}/enterprise-sign-in` } }
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
    if (person && person.wrongPasswords >= mostWrongPasswords) return fails('rate_limit_reached', 60);
    const isAtSite = body.site === undefined || person?.sites.includes(body.site);
    if (person?.password !== body.password || !isAtSite) {
      if (person) person.wrongPasswords += 1;
      return fails('invalid_credentials');
    }
    Object.assign(now(), { person, authSite: body.site });
    if (person.kind === 'password-change') return { answer: { status: 'password_reset_required' } };
    if (person.kind === 'password') return complete(person, body.returnUrl);
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
  script.reply('verifyMfaCode', ({ body }): Reply<'verifyMfaCode'> => {
    const { person, code } = now();
    if (!isOpen(body.returnUrl)) return fails('not_found');
    if (!person || !code) return fails('unauthorized');
    if (clock() - code.sentAt > codeValidityMinutes * 60) return fails('mfa_token_expired');
    if (code.guesses >= mostGuesses) return fails('mfa_max_attempts_exceeded');
    if (body.code === code.digits) {
      const { authSite } = now();
      delete now().code;
      if (authSite !== undefined) return complete(person, body.returnUrl, authSite);
      now().isSignedIn = true;
      return { answer: { status: 'select_site_required' } };
    }
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
    const isAskedFor = findVisit(body.returnUrl)?.prompt === 'change_password' && now().isSignedIn;
    if (!person || (person.kind !== 'password-change' && !isAskedFor)) return fails('unauthorized');
    if (body.newPassword !== body.newPasswordConfirmation) return fails('passwords_do_not_match');
    if (body.currentPassword !== person.password) return fails('invalid_credentials');
    if (body.newPassword.length < 15) return fails('invalid_new_password');
    Object.assign(person, { password: body.newPassword, kind: 'password' });
    return complete(person, body.returnUrl);
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
    return person?.sites.includes(body.site)
      ? complete(person, body.returnUrl, body.site)
      : fails('not_found');
  });
  script.answer('getRetry', () => {
    const visits = [...now().visits.values()];
    return { retry: visits.some(({ isFinished, isFollowed }) => isFinished && !isFollowed) };
  });
  script.reply('getPostLoginRedirect', ({ query }) => {
    const visit = findVisit(query.returnUrl);
    return visit ? { answer: { location: `${urls.service}${visit.returnUrl}` } } : fails('validation_failed');
  });
  script.reply('getErrorMessage', ({ query }) =>
    query.errorId === 'e-1'
      ? { answer: { error: 'access_denied', correlationId: 'c-1', timestamp: '2026-11-20T09:30:00Z' } }
      : fails('not_found'),
  );
}
