import { calls } from '@anteroom/contract';
import { accountCalls } from '@anteroom/contract/account';
import { authenticatorAppCalls } from '@anteroom/contract/authenticator-app';
import { boardSystemCalls } from '@anteroom/contract/board-systems';
import { passkeyCalls } from '@anteroom/contract/passkeys';
import { preferenceCalls } from '@anteroom/contract/preferences';
import { recoveryCalls } from '@anteroom/contract/recovery';
import type { FastifyInstance } from 'fastify';
import type { Call } from '@anteroom/contract';
import { createAccount } from './account/account.ts';
import { createCalls, toSignInServices } from './calls.ts';
import { registerDemoLogos } from './demo/demo-data.ts';
import { createAntiForgery } from './http/anti-forgery.ts';
import { createBrowserCookies } from './http/cookies.ts';
import { readBuiltPage } from './http/built-pages.ts';
import { registerContentPolicyReports } from './http/content-policy-reports.ts';
import { countOtherRequests, registerRequestTrace } from './http/request-hooks.ts';
import { createExchanges } from './http/create-exchange.ts';
import { createServer } from './http/create-server.ts';
import type { Exchange } from './http/exchange.ts';
import { createReadiness, registerHealth } from './http/health.ts';
import type { Readiness } from './http/health.ts';
import { registerCalls } from './http/routes.ts';
import { registerStaticFiles, registerTwins } from './http/static-files.ts';
import { watchUntrustedForwarders } from './http/trusted-proxies.ts';
import { createNodeReports } from './keys/nodes.ts';
import type { NodeReports } from './keys/nodes.ts';
import { withCompanions } from './lib/companion-keys.ts';
import { createAnonymousAllowance, createSiteGuesses } from './limits/allowances.ts';
import { registerOutbox } from './messages/outbox.ts';
import { mountOpenid } from './openid/mount.ts';
import { createOpenid } from './openid/openid.ts';
import type { Openid } from './openid/openid.ts';
import { registerSignOutFrame } from './openid/sign-out-frame.ts';
import { createReadinessChecks } from './readiness.ts';
import type { ReadinessReport } from './readiness.ts';
import { createRecovery } from './recovery/recovery.ts';
import type { Recovery } from './recovery/recovery.ts';
import { createServices } from './services.ts';
import type { AppDependencies, Services } from './services.ts';
import { createAuthenticatorApp } from './sign-in/authenticator-app.ts';
import { registerExternalRoutes } from './sign-in/external-routes.ts';
import { mountExternalSignOuts } from './sign-in/external-sign-out-routes.ts';
import { registerOpenSite } from './sign-in/begin-at-application.ts';
import { createPasskeyCalls } from './sign-in/passkey-enrolment.ts';
import { createPreferences } from './sign-in/own-sites.ts';
import { mountRegions } from './sign-in/regions.ts';
import { registerFormScript } from './regions/routes.ts';
import { mountSaml } from './sign-in/saml-routes.ts';
import { buildLogoutRequestAddress } from './sign-in/saml-sign-out.ts';
import { createBoardSystemKeys, createPushedToDos } from './todos/pushed-to-dos.ts';
import type { SignInServices } from './sign-in/sign-in-services.ts';

export type App = {
  server: FastifyInstance;
  services: Services;
  recovery: Recovery;
  readiness: Readiness;
  checkReadiness: () => Promise<ReadinessReport>;
  nodeReports: NodeReports;
  openid: Pick<Openid, 'notifyApplications' | 'settle'>;
};

/** Builds the whole identity service without opening a port; tests send requests with `app.server.inject`. */
export async function buildApp(dependencies: AppDependencies): Promise<App> {
  const { config, keys, random, log, database } = dependencies;
  const services = await createServices(dependencies);
  const readiness = createReadiness();
  const server = createServer(config, log, readiness);
  if (dependencies.tracing !== undefined) registerRequestTrace(server, dependencies.tracing);
  const listUntrustedForwarders = watchUntrustedForwarders(server, config.trustedProxies, log);
  countOtherRequests(server, services.metrics.countRequest);

  const cookies = createBrowserCookies(config.publicUrl);
  const antiForgery = createAntiForgery({
    keyRing: keys.antiForgery,
    random,
    cookies,
    publicOrigin: config.publicUrl,
    regionOrigins: config.contentPolicy.regionOrigins,
  });
  const limiting = { ...services, keyRing: keys.limits, countLimited: services.metrics.countLimited };
  const takeAnonymous = createAnonymousAllowance(limiting, config.anonymousRequestsPerTenMinutes);
  const siteGuesses = createSiteGuesses(limiting, config.limits);
  const whoVisits = (visit: Pick<Exchange, 'address' | 'headers'>) => ({
    address: visit.address,
    browserSecret: signInServices.knownBrowsers.findIssuedSecret(visit),
  });
  const createExchange = createExchanges({
    sessions: services.sessions,
    cookies,
    antiForgery,
    log,
    requireAnonymousAllowance: (visit) => takeAnonymous(whoVisits(visit)),
    guessSite: (visit, find) => siteGuesses.guess(whoVisits(visit), find),
    noteExpired: ({ personId }, occasion) =>
      services.audit.note({ event: 'session.use-expired', result: 'failure', personId }, occasion),
  });
  const openid = createOpenid(services, { name: cookies.providerName, secure: cookies.secure });

  const recovery = createRecovery(services, openid);

  // One instance, because it caches the metadata of identity providers.
  const signInServices = toSignInServices({ ...services, openid });

  const routing = {
    createExchange,
    antiForgery,
    admit: createAdmission(signInServices),
    countRequest: services.metrics.countRequest,
    checkAnswers: !config.production,
  };
  await registerCalls(server, calls, createCalls(signInServices), routing);
  await registerCalls(server, recoveryCalls, recovery.calls, routing);
  await registerCalls(server, preferenceCalls, createPreferences(services), routing);
  await registerCalls(server, authenticatorAppCalls, createAuthenticatorApp(signInServices), routing);
  await registerCalls(server, passkeyCalls, createPasskeyCalls(signInServices), routing);
  await registerCalls(server, accountCalls, createAccount(signInServices), routing);
  if (config.boardSystems.keys.length > 0) {
    const keysOfBoardSystems = createBoardSystemKeys(config.boardSystems.keys);
    const pushedToDos = createPushedToDos({ ...services, keys: keysOfBoardSystems });
    // Servers send these calls, so a key authenticates them instead of the anti-forgery token of our pages.
    const antiForgery = { require: keysOfBoardSystems.require };
    await registerCalls(server, boardSystemCalls, pushedToDos, { ...routing, antiForgery });
  }
  await mountOpenid(server, openid, createExchange);
  registerFormScript(server);
  await mountRegions(server, signInServices, createExchange);
  registerOpenSite(server, services, createExchange);
  registerExternalRoutes(server, signInServices, createExchange);
  await mountExternalSignOuts(server, signInServices, createExchange);
  await mountSaml(server, signInServices, createExchange);
  registerSignOutFrame(server, services, (provider) => buildLogoutRequestAddress(signInServices, provider));
  registerContentPolicyReports(server, {
    clock: services.clock,
    workers: config.workers,
    count: services.metrics.countPolicyReport,
  });
  registerTwins(server);
  if (config.demoData) registerDemoLogos(server);
  if (config.outbox) registerOutbox(server, database);
  const servesFrontEnd = readBuiltPage(config.webDist) !== undefined;
  if (config.webDist !== undefined && servesFrontEnd)
    await registerStaticFiles(server, config.webDist, config);
  const nodeReports = createNodeReports(services, {
    ...keys.ids,
    SIGNING_JWKS: withCompanions(keys.signing.keys).map(({ kid }) => kid),
  });
  const checkReadiness = createReadinessChecks({
    ...services,
    readiness,
    report: nodeReports.report,
    keyIds: keys.ids,
    servesFrontEnd,
    listUntrustedForwarders,
  });
  registerHealth(server, async () => (await checkReadiness()).ready);
  server.addHook('onClose', async () => {
    await recovery.drain();
    await openid.settle();
    await services.settleMessages();
    await services.regions?.linkNotices.settle();
    await services.audit.close();
    await nodeReports.stop().catch(() => undefined);
  });
  await server.ready();
  return { server, services, recovery, readiness, checkReadiness, nodeReports, openid };
}

/**
 * Refuses requests under overload before their body is read and before any database statement, so that a flood of
 * sign-ins does not slow down other calls (attacks and faults, S66). The user is unknown at this point, so a browser
 * that is known for any user passes. The limits, which are checked later, exempt the browser only for its own users
 * (S34).
 */
function createAdmission({
  limits,
  passwords,
  knownBrowsers,
}: Pick<SignInServices, 'limits' | 'passwords' | 'knownBrowsers'>) {
  return ({ password }: Call, visit: Pick<Exchange, 'address' | 'headers'>): (() => void) | undefined => {
    if (password === 'checked' && knownBrowsers.findIssuedSecret(visit) === undefined)
      limits.requireNotHeld('password', visit.address);
    return password === undefined ? undefined : passwords.admit();
  };
}
