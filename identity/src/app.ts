import { calls } from '@anteroom/contract';
import { accountCalls } from '@anteroom/contract/account';
import { authenticatorAppCalls } from '@anteroom/contract/authenticator-app';
import { boardSystemCalls } from '@anteroom/contract/board-systems';
import { passkeyCalls } from '@anteroom/contract/passkeys';
import { preferenceCalls } from '@anteroom/contract/preferences';
import { rememberedAccountCalls } from '@anteroom/contract/remembered-accounts';
import { recoveryCalls } from '@anteroom/contract/recovery';
import type { FastifyInstance } from 'fastify';
import { createAccountCalls } from './account/account.ts';
import { createCalls, toSignInServices } from './calls.ts';
import { registerDemoLogos } from './demo/demo-data.ts';
import { createAntiForgery } from './http/anti-forgery.ts';
import { createBrowserCookies } from './http/cookies.ts';
import { readBuiltPage } from './http/built-pages.ts';
import { registerContentPolicyReports } from './http/content-policy-reports.ts';
import { countOtherRequests, registerRequestTrace } from './http/request-hooks.ts';
import { createExchangeFactory } from './http/create-exchange.ts';
import { createServer } from './http/create-server.ts';
import type { Exchange } from './http/exchange.ts';
import { createReadiness, registerHealth } from './http/health.ts';
import type { Readiness } from './http/health.ts';
import { registerCalls } from './http/routes.ts';
import type { Admission } from './http/routes.ts';
import { registerStaticFiles, registerRedirectsToPages } from './http/static-files.ts';
import { watchUntrustedForwarders } from './http/trusted-proxies.ts';
import { createNodeReports } from './keys/nodes.ts';
import type { NodeReports } from './keys/nodes.ts';
import { withDerivedKeys } from './lib/derived-keys.ts';
import { createAnonymousAllowance, createSiteGuesses } from './limits/allowances.ts';
import { registerConsole } from './manage/pages.ts';
import { registerManagement } from './manage/routes.ts';
import { registerOutbox } from './messages/outbox.ts';
import { mountProvider } from './provider/mount.ts';
import { createOpenidProvider } from './provider/provider.ts';
import type { OpenidProvider } from './provider/provider.ts';
import { registerSignOutFrame } from './sign-out/sign-out-frame.ts';
import { createReadinessChecks } from './process/readiness.ts';
import type { ReadinessReport } from './process/readiness.ts';
import { createRecovery } from './recovery/recovery.ts';
import type { Recovery } from './recovery/recovery.ts';
import { createServices } from './services.ts';
import type { AppDependencies, Services } from './services.ts';
import { createAuthenticatorApp } from './sign-in/authenticator-app.ts';
import { registerExternalRoutes } from './company/external-routes.ts';
import { mountExternalSignOuts } from './sign-out/external-sign-out-routes.ts';
import { registerOpenSite } from './company/begin-at-application.ts';
import { createPasskeyCalls } from './sign-in/passkey-enrolment.ts';
import { createRememberedAccountCalls } from './sign-in/remembered-accounts.ts';
import { createPreferences } from './sign-in/own-sites.ts';
import { mountRegions } from './regions/mount-regions.ts';
import { mountSaml } from './company/saml-routes.ts';
import { buildLogoutRequestAddress } from './sign-out/saml-sign-out.ts';
import { createBoardSystemKeys, createPushedToDos } from './todos/pushed-to-dos.ts';
import type { SignInServices } from './sign-in/sign-in-services.ts';
import { formScript, formScriptPath } from './texts/forwarding-page.ts';
import { renderTooMuchData } from './texts/too-much-data-page.ts';

export type App = {
  server: FastifyInstance;
  services: Services;
  recovery: Recovery;
  readiness: Readiness;
  checkReadiness: () => Promise<ReadinessReport>;
  nodeReports: NodeReports;
  provider: Pick<OpenidProvider, 'notifyApplications' | 'settle'>;
};

/** Builds the whole identity service without opening a port; tests send requests with `app.server.inject`. */
export async function buildApp(dependencies: AppDependencies): Promise<App> {
  const { config, keys, random, log, database } = dependencies;
  const services = await createServices(dependencies);
  const readiness = createReadiness();
  const server = createServer(config, log, readiness, renderTooMuchData, dependencies);
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
  const toGuesser = (caller: Pick<Exchange, 'address' | 'headers'>) => ({
    address: caller.address,
    browserSecret: signInServices.knownBrowsers.findIssuedSecret(caller),
  });
  const createExchange = createExchangeFactory({
    sessions: services.sessions,
    cookies,
    antiForgery,
    log,
    requireAnonymousAllowance: (caller) => takeAnonymous(toGuesser(caller)),
    guessSite: (caller, find) => siteGuesses.guess(toGuesser(caller), find),
    noteExpired: ({ userId }, occasion) =>
      services.audit.note({ event: 'session.use-expired', result: 'failure', userId }, occasion),
  });
  const provider = createOpenidProvider(services, { name: cookies.providerName, secure: cookies.secure });

  const recovery = createRecovery(services, provider);

  // One instance, because it caches the metadata of identity providers.
  const signInServices = toSignInServices({ ...services, provider });

  const routing = {
    createExchange,
    antiForgery,
    admission: createAdmission(signInServices),
    countRequest: services.metrics.countRequest,
    checkAnswers: !config.production,
  };
  await registerCalls(server, calls, createCalls(signInServices), routing);
  await registerCalls(server, recoveryCalls, recovery.calls, routing);
  await registerCalls(server, preferenceCalls, createPreferences(services), routing);
  await registerCalls(server, authenticatorAppCalls, createAuthenticatorApp(signInServices), routing);
  await registerCalls(server, passkeyCalls, createPasskeyCalls(signInServices), routing);
  const rememberedAccounts = createRememberedAccountCalls(signInServices);
  await registerCalls(server, rememberedAccountCalls, rememberedAccounts, routing);
  await registerCalls(server, accountCalls, createAccountCalls(signInServices), routing);
  if (config.boardSystems.keys.length > 0) {
    const keysOfBoardSystems = createBoardSystemKeys(config.boardSystems.keys);
    const pushedToDos = createPushedToDos({ ...services, keys: keysOfBoardSystems });
    // Servers send these calls, so a key authenticates them instead of the anti-forgery token of our pages.
    const antiForgery = { require: keysOfBoardSystems.require };
    await registerCalls(server, boardSystemCalls, pushedToDos, { ...routing, antiForgery });
  }
  if (config.management) {
    await registerManagement(server, { services, provider, log, createExchange, antiForgery });
    await registerConsole(server, { ...config.management, ...config.contentPolicy });
  }
  await mountProvider(server, provider, createExchange);
  server.get(formScriptPath, (_request, reply) =>
    reply.type('text/javascript; charset=utf-8').send(formScript),
  );
  await mountRegions(server, signInServices, createExchange);
  registerOpenSite(server, services, createExchange);
  registerExternalRoutes(server, signInServices, createExchange);
  await mountExternalSignOuts(server, signInServices, createExchange);
  await mountSaml(server, signInServices, createExchange);
  registerSignOutFrame(server, services, (provider) => buildLogoutRequestAddress(signInServices, provider));
  registerContentPolicyReports(server, {
    clock: services.clock,
    count: services.metrics.countPolicyReport,
  });
  registerRedirectsToPages(server);
  if (config.demoData) registerDemoLogos(server);
  if (config.outbox) registerOutbox(server, database);
  const servesFrontEnd = readBuiltPage(config.webDist) !== undefined;
  if (config.webDist !== undefined && servesFrontEnd)
    await registerStaticFiles(server, config.webDist, config);
  const nodeReports = createNodeReports(services, {
    ...keys.ids,
    SIGNING_JWKS: withDerivedKeys(keys.signing.keys).map(({ kid }) => kid),
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
    await provider.settle();
    await services.settleMessages();
    await services.regions?.linkNotices.settle();
    await services.audit.close();
    await nodeReports.stop().catch(() => undefined);
  });
  await server.ready();
  return { server, services, recovery, readiness, checkReadiness, nodeReports, provider };
}

/**
 * Refuses requests under overload before their body is read and before any database statement, so that a flood of
 * sign-ins does not slow down other calls (attacks and faults, S66). Capacity is reserved only once the body has
 * arrived, so that slow clients take none. The user is unknown at this point, so a browser
 * that is known for any user passes. The limits, which are checked later, exempt the browser only for its own users
 * (S34).
 */
function createAdmission({
  limits,
  passwords,
  knownBrowsers,
}: Pick<SignInServices, 'limits' | 'passwords' | 'knownBrowsers'>): Admission {
  return {
    requireRoom({ password }, caller) {
      if (password === 'checked' && knownBrowsers.findIssuedSecret(caller) === undefined)
        limits.requireNotHeld('password', caller.address);
      if (password !== undefined) passwords.requireRoom();
    },
    admit: ({ password }) => (password === undefined ? undefined : passwords.admit()),
  };
}
