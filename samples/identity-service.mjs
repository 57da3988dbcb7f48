// The wire contract in one file, in memory: a starting point for an identity service of your own (docs/adopting.md). To check it:
//   PORT=8080 TEST_CONTROLS=true node identity-service.mjs
//   npx anteroom-verify http://localhost:8080 --scenario identity-service.scenario.json
import { randomBytes, randomInt, scryptSync, timingSafeEqual } from 'node:crypto';
import { calls, errorCatalogue } from '@anteroom/contract';
import express from 'express';
import * as v from 'valibot';

const origin = `http://localhost:${process.env.PORT ?? 8080}`;
const portal = 'http://localhost:4401';
/** The front end of another region, which can call with cookies. Undefined if there is one region. */
const regionOrigin = process.env.REGION_ORIGIN;
/** Headers of the front end that force a preflight request. */
const regionHeaders = ['x-correlation-id', 'conforming-errors'];
const sites = new Map([
  ['harbor', { displayName: 'Harbor Trust' }],
  ['northwind', { displayName: 'Northwind Holdings' }],
  ['corp', { displayName: 'Corp', provider: 'https://idp.example/authorize' }],
  ['lakeside', { displayName: 'Lakeside Partners', provider: 'https://saml.example/sso', isSaml: true }],
]);
const users = new Map();
/** By session cookie: the anti-forgery token, the sign-ins that this browser started, and the signed-in user. */
const browsers = new Map();
const [signOuts, errorRecords, siteGuesses] = [new Map(), new Map(), new Map()];
const [codeMinutes, resendSeconds, maximumFailures, minimumLength] = [10, 30, 5, 15];
const [maximumSiteGuesses, siteGuessSeconds] = [100, 600];
let movedSeconds = 0;
const now = () => Date.now() / 1000 + movedSeconds;
const token = () => randomBytes(24).toString('base64url');
const hash = (password, salt = randomBytes(16)) => ({ salt, key: scryptSync(password, salt, 32) });
const unknownUser = { password: hash(token()), sites: [] };
const isPassword = (typed, { password: { salt, key } }) => timingSafeEqual(hash(typed, salt).key, key);

/** Returns the value; if it is falsy, rejects the call with the code. */
function ensure(value, code, more) {
  if (!value) throw Object.assign(new Error(code), { code, ...more });
  return value;
}

/** The sign-in of a return address, if this browser started it. */
const findVisit = (browser, returnUrl = '') =>
  returnUrl.startsWith('/') ? browser.visits.get(new URL(returnUrl, origin).pathname) : undefined;
const requireVisit = (browser, returnUrl, code = 'not_found') =>
  (browser.latest = ensure(findVisit(browser, returnUrl), code));
const requireUser = ({ isSignedIn, user }) => ensure(isSignedIn && user, 'unauthorized');

/** A sign-in that has not been followed to the application yet. */
const requireOpenVisit = (browser, returnUrl) =>
  ensure(!requireVisit(browser, returnUrl).isFollowed && browser.latest, 'not_found');

const ensureNotBlocked = (until = 0) =>
  ensure(until <= now(), 'rate_limit_reached', { retryAfter: Math.ceil(until - now()) });

/** Counts failures of password and code: from the fifth consecutive one on, each doubles the wait. */
function ensureCorrect(isRight, user, code = 'invalid_credentials') {
  if (!isRight && (user.failures += 1) >= maximumFailures)
    user.waitUntil = now() + 60 * 2 ** (user.failures - maximumFailures);
  ensure(isRight, code);
}

/** Completes the authentication: the session gets a new id. */
function signInAs(browser, site) {
  Object.assign(browser, { isSignedIn: true, site, code: undefined, isNew: true });
  browser.user.failures = 0;
}

/** Finishes this sign-in and those of other tabs that need no authentication of their own. */
function finish(browser, visit, site = browser.user.sites[0]) {
  signInAs(browser, site);
  for (const other of browser.visits.values()) other.isFinished ||= other === visit || !other.prompt;
  return { status: 'redirect', location: origin + visit.returnUrl };
}

/** A real service sends a text message here. */
function sendCode(browser) {
  browser.user.lastCode = String(randomInt(1_000_000)).padStart(6, '0');
  browser.code = { digits: browser.user.lastCode, sentAt: now(), guesses: 0 };
}
const organisationOf = (name) => ({ displayName: sites.get(name).displayName, logoPath: `/${name}.svg` });

function contextOf(browser, { prompt, returnUrl, isFinished, isFollowed }, typed = '') {
  const isKnown = browser.isSignedIn && prompt !== 'switch_tenant';
  const named = isKnown ? browser.site : typed.toLowerCase();
  const defaultSite = sites.has(named) && prompt !== 'switch_tenant' ? named : undefined;
  const authSite = isKnown ? browser.site : undefined;
  const client = { clientId: 'director', returnUrl, cancelRedirectUri: `${portal}/` };
  const entry = { allowDefaultSiteEntry: true, allowUserNameEntry: !isKnown, allowPasswordEntry: true };
  const { displayName, logoPath } = defaultSite ? organisationOf(defaultSite) : {};
  const organisation = { defaultSiteDisplayName: displayName, defaultSiteLogoPath: logoPath };
  return {
    ...client,
    ...entry,
    ...(defaultSite && { defaultSite, identityServiceUrl: origin, ...organisation }),
    finishedLocation: isFollowed ? `${portal}/` : isFinished ? origin + returnUrl : undefined,
    promptMethod: prompt === 'login' ? undefined : prompt,
    reauthRequested: isKnown && prompt === 'login',
    userName: isKnown ? browser.user.userName : undefined,
    selectSite: isKnown && (prompt === 'switch_site' || browser.site === undefined),
    ...(browser.code && { mfaPhoneNumberSuffix: browser.user.phoneNumber.slice(-2) }),
    session: { state: isKnown ? 'valid' : 'none', authSite, isExternallyAuthenticated: false },
  };
}

/** The 25 calls. Each gets the input that the contract's schemas accept, the browser, and its address. */
const handlers = {
  getAuthContext: (input, browser) => contextOf(browser, requireVisit(browser, input.returnUrl), input.site),
  getRefreshContext: (_, browser) => contextOf(browser, requireVisit(browser, browser.latest?.returnUrl)),
  getLogoutContext: ({ logoutId }, { isSignedIn }) => ({
    requiresConfirmation: isSignedIn,
    showCancelButton: isSignedIn,
    postLogoutRedirectUri: signOuts.get(logoutId) ?? (isSignedIn ? `${portal}/` : undefined),
    signOutIFrameUrl: isSignedIn ? `${portal}/sign-out-frame` : undefined,
  }),
  getSiteExistence({ name: typed }, _, address) {
    const [name, latest] = [typed.toLowerCase(), siteGuesses.get(address)];
    const guesses = latest?.until > now() ? latest : { count: 0, until: now() + siteGuessSeconds };
    if (guesses.count >= maximumSiteGuesses) ensureNotBlocked(guesses.until);
    const found = sites.has(name) && { name, identityServiceUrl: origin, ...organisationOf(name) };
    if (!found) siteGuesses.set(address, { ...guesses, count: guesses.count + 1 });
    return { siteExists: Boolean(found), ...found };
  },
  getSiteSettings: ({ site }) => ({ allowPasswordEntry: !sites.get(site)?.provider }),
  getUserSettings: ({ site }) => ({ shouldRedirectToExternalAuth: Boolean(sites.get(site)?.provider) }),
  getExternalRedirect: ({ site, returnUrl }, browser) =>
    `${ensure(findVisit(browser, returnUrl) && sites.get(site)?.provider, 'not_found')}?state=${token()}`,
  getSamlMetadata: ({ sitename }) =>
    `<EntityDescriptor xmlns="urn:oasis:names:tc:SAML:2.0:metadata" entityID="${ensure(sites.get(sitename)?.isSaml && sitename, 'not_found')}"/>`,
  authenticate({ returnUrl, userName, password, site }, browser) {
    const visit = requireOpenVisit(browser, returnUrl);
    ensure(userName !== undefined, 'validation_failed');
    // An unknown name costs the same work.
    const user = users.get(userName) ?? { ...unknownUser };
    ensureNotBlocked(user.waitUntil);
    ensureCorrect(isPassword(password, user) && user.sites.includes(site ?? user.sites[0]), user);
    Object.assign(browser, { user, site, isSignedIn: false, code: undefined });
    if (user.mustChange) return { status: 'password_reset_required' };
    if (!user.phoneNumber) return finish(browser, visit, site);
    sendCode(browser);
    const mfaPhoneNumberSuffix = user.phoneNumber.slice(-2);
    return { status: 'second_factor_required', mfaPhoneNumberSuffix, mfaCodeValidityInMinutes: codeMinutes };
  },
  verifyMfaCode({ returnUrl, code: typed }, browser) {
    const visit = requireOpenVisit(browser, returnUrl);
    const { user, code, site } = browser;
    ensure(code, 'unauthorized');
    ensure(now() - code.sentAt <= codeMinutes * 60, 'mfa_token_expired');
    ensure(code.guesses < maximumFailures, 'mfa_max_attempts_exceeded');
    const isLast = typed !== code.digits && (code.guesses += 1) >= maximumFailures;
    ensureCorrect(typed === code.digits, user, isLast ? 'mfa_max_attempts_exceeded' : 'invalid_credentials');
    if (site !== undefined || user.sites.length === 1) return finish(browser, visit, site);
    signInAs(browser, undefined);
    return { status: 'select_site_required' };
  },
  resendMfaCode({ returnUrl }, browser) {
    requireOpenVisit(browser, returnUrl);
    const { sentAt } = ensure(browser.code, 'unauthorized');
    ensureNotBlocked(Math.max(browser.user.waitUntil ?? 0, sentAt + resendSeconds));
    sendCode(browser);
  },
  passwordReset({ returnUrl, currentPassword, newPassword, newPasswordConfirmation }, browser) {
    const visit = requireOpenVisit(browser, returnUrl);
    const { user, isSignedIn, site } = browser;
    ensure(isSignedIn ? visit.prompt === 'change_password' : user?.mustChange, 'unauthorized');
    ensureNotBlocked(user.waitUntil);
    ensure(newPassword === newPasswordConfirmation, 'passwords_do_not_match');
    ensureCorrect(isPassword(currentPassword, user), user);
    ensure([...newPassword].length >= minimumLength, 'invalid_new_password', { policyLine: 'minimumLength' });
    Object.assign(user, { password: hash(newPassword), mustChange: false });
    for (const [id, other] of browsers) if (other.user === user && other !== browser) browsers.delete(id);
    return finish(browser, visit, site);
  },
  passwordPolicy: () => ({ policyLines: [{ line: 'minimumLength' }], minimumLength }),
  getSites(_, browser) {
    const { userName: boardsUserName, sites: own } = requireUser(browser);
    const met = { areEntitlementRequirementsMet: true, mfaRequirementMet: true, clientEntitlement: 'none' };
    const list = own.map((name, sequence) => ({ name, sequence, ...organisationOf(name), ...met }));
    const names = { userFirstName: 'Ada', userLastName: 'Sample', boardsUserName };
    return { ...names, sites: list, directorToDoItemsEnabled: true };
  },
  getSiteTodo({ site }, browser) {
    ensure(requireUser(browser).sites.includes(site), 'not_found');
    const counts = { pendingVoteCount: 0, openQuestionnairesCount: 0, minutesCount: 0, actionItemsCount: 0 };
    return { ...counts, directorHomePageEnabled: true };
  },
  selectSite({ returnUrl, site }, browser) {
    ensure(requireUser(browser).sites.includes(site), 'not_found');
    return finish(browser, requireOpenVisit(browser, returnUrl), site);
  },
  getRetry: (_, { visits }) => ({
    retry: [...visits.values()].some((it) => it.isFinished && !it.isFollowed),
  }),
  getPostLoginRedirect: ({ returnUrl }, browser) => ({
    location: origin + requireVisit(browser, returnUrl, 'validation_failed').returnUrl,
  }),
  getErrorMessage: ({ errorId }) => ensure(errorRecords.get(errorId), 'not_found'),
  signOut: (_, browser) => void (browser.isOver = true),
  postMetrics: () => undefined,
  getConfig: () => ({ globalSupportUrl: `${portal}/support`, homeUri: `${portal}/` }),
};
handlers.postSiteSettings = handlers.getSiteSettings;
handlers.postUserSettings = handlers.getUserSettings;
handlers.getSamlSso = handlers.getExternalRedirect;
const readCookie = ({ headers }, name) => new RegExp(`(?:^|; )${name}=([^;]*)`).exec(headers.cookie)?.[1];
const findBrowser = (request) =>
  browsers.get(readCookie(request, 'session')) ?? { isNew: true, isSignedIn: false, visits: new Map() };

/** A new browser, or one whose user has just authenticated, gets a new session with a new anti-forgery token. */
function setCookies(request, response, browser) {
  if (!browser.isNew && !browser.isOver) return;
  browsers.delete(readCookie(request, 'session'));
  const [session, maxAge] = browser.isOver ? ['', 0] : [token(), undefined];
  Object.assign(browser, { xsrf: token(), isNew: false });
  if (!browser.isOver) browsers.set(session, browser);
  response.cookie('session', session, { httpOnly: true, sameSite: 'lax', maxAge });
  response.cookie('XSRF-TOKEN', browser.xsrf, { sameSite: 'strict', maxAge });
}

function requireSameOrigin(request, browser) {
  const { origin: from = origin, 'sec-fetch-site': site = 'same-origin' } = request.headers;
  const held = [browser.xsrf, request.headers['x-xsrf-token'], readCookie(request, 'XSRF-TOKEN')];
  const isHeld = browser.xsrf !== undefined && new Set(held).size === 1;
  const isOfRegion = from === regionOrigin && regionHeaders.every((name) => name in request.headers);
  ensure(isOfRegion || (isHeld && from === origin && site === 'same-origin'), 'csrf_failed');
  ensure(/^application\/json\b/.test(request.headers['content-type'] ?? ''), 'unsupported_media_type');
}

/** Query parameters by their case-insensitive names; a repeated one becomes a list, which every schema rejects. */
function readQuery({ query }, { entries = {} } = {}) {
  const read = {};
  for (const [typed, value] of Object.entries(query)) {
    const name = Object.keys(entries).find((key) => key.toLowerCase() === typed.toLowerCase()) ?? typed;
    read[name] = name in read ? [read[name], value] : value;
  }
  return read;
}

const read = (schema, value) => schema && v.parse(schema, value);
const app = express().disable('x-powered-by').disable('etag');
app.use('/api', (request, response, next) => {
  if (regionOrigin === undefined || request.headers.origin !== regionOrigin) return next();
  response.set({
    'Access-Control-Allow-Origin': regionOrigin,
    'Access-Control-Allow-Credentials': 'true',
    'Access-Control-Allow-Headers': [...regionHeaders, 'correlationid', 'content-type'].join(),
    'Access-Control-Expose-Headers': 'Retry-After, Date',
    Vary: 'Origin',
  });
  return request.method === 'OPTIONS' ? response.status(204).end() : next();
});
app.use(express.json());
for (const [name, call] of Object.entries(calls)) {
  app[call.method.toLowerCase()](call.path, (request, response) => {
    response.set({ 'Cache-Control': 'no-store', 'X-Content-Type-Options': 'nosniff' });
    const browser = findBrowser(request);
    if (call.method === 'POST') requireSameOrigin(request, browser);
    const query = read(call.query, readQuery(request, call.query));
    const input = { ...query, ...read(call.params, request.params), ...read(call.body, request.body) };
    const answer = handlers[name](input, browser, request.ip);
    setCookies(request, response, browser);
    if (call.kind === 'json') response.json(answer);
    else if (call.kind === 'empty') response.status(204).end();
    else if (call.kind === 'xml') response.type('application/xml').send(answer);
    else if (request.headers.accept?.includes('text/plain')) response.type('text/plain').send(answer);
    else response.redirect(answer);
  });
  app.all(call.path, () => ensure(false, 'method_not_allowed'));
}

// The application's authorization request: what an OpenID provider handles, without tokens.
app.get('/connect/authorize', (request, response) => {
  const { client_id: client, redirect_uri: redirectUri, prompt, state = '' } = request.query;
  const [browser, id] = [findBrowser(request), token()];
  if (client !== 'director' || redirectUri !== `${portal}/callback`) {
    errorRecords.set(id, { error: 'invalid_request', correlationId: id, timestamp: new Date() });
    return response.redirect(`/ui/home/error?errorId=${id}`);
  }
  const returnUrl = `/connect/authorize/${id}?client_id=director`;
  browser.visits.set(`/connect/authorize/${id}`, { returnUrl, prompt, state });
  setCookies(request, response, browser);
  return response.redirect(`/ui/account/login?ReturnUrl=${encodeURIComponent(returnUrl)}`);
});
app.get('/connect/authorize/:id', (request, response) => {
  const visit = findVisit(findBrowser(request), request.path);
  ensure(visit?.isFinished, 'not_found');
  visit.isFollowed = true;
  response.redirect(`${portal}/callback?${new URLSearchParams({ code: token(), state: visit.state })}`);
});
app.get('/connect/session/end', (request, response) => {
  const [logoutId, address] = [token(), `${portal}/signed-out`];
  if (request.query.post_logout_redirect_uri === address) signOuts.set(logoutId, address);
  response.redirect(`/ui/account/logout?logoutId=${logoutId}`);
});
app.get(['/', '/account/*path', '/home/*path'], ({ url }, response) => response.redirect(`/ui${url}`));

// The test controls for the scenario of the conformance kit. Never in production.
if (process.env.TEST_CONTROLS === 'true') {
  app.post('/test/accounts/:kind', ({ params: { kind } }, response) => {
    const code = kind === 'code' && { sites: ['harbor', 'northwind'], phoneNumber: '+447700900142' };
    const account = { userName: `${token()}@sample.example`, password: token(), sites: ['harbor'], ...code };
    const user = { ...account, password: hash(account.password), mustChange: kind === 'password-change' };
    users.set(user.userName, { ...user, failures: 0 });
    response.json(account);
  });
  app.post('/test/codes/:name', ({ params }, response) => response.json(users.get(params.name)?.lastCode));
  app.post('/test/clock/:s', ({ params: { s } }, response) => response.json((movedSeconds += Number(s))));
}

app.use(() => ensure(false, 'not_found'));
app.use((error, _request, response, _next) => {
  // Schema errors have issues; a malformed JSON body has a status.
  const unnamed = error.issues || error.status ? 'validation_failed' : 'internal_error';
  const code = error.code in errorCatalogue ? error.code : unnamed;
  if (error.retryAfter !== undefined) response.set('Retry-After', String(error.retryAfter));
  response.status(errorCatalogue[code].status).json({ code, policyLine: error.policyLine });
});
app.listen(new URL(origin).port, 'localhost', () => process.stdout.write(`${origin}\n`));
