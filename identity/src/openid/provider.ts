import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http';
import type { Context } from 'koa';
import { errors, Provider } from 'oidc-provider';
import type { KoaContextWithOIDC } from 'oidc-provider';
import type { Exchange } from '../http/exchange.ts';
import { hasControlCharacter } from '../lib/control-characters.ts';
import type { Services } from '../services.ts';
import { isDatabaseUnavailable } from '../store/unavailable.ts';
import { createAnonymousGate } from './anonymous-gate.ts';
import { createConfiguration } from './configuration.ts';
import { createCrossOriginGate } from './cross-origin.ts';
import { createExchanges } from './exchanges.ts';
import { isFingerprintOf } from './fingerprint.ts';
import { createResumeGate } from './gate.ts';
import { noteRequests } from './note-requests.ts';
import { keepOwnPages } from './own-pages.ts';
import { createSizeGate } from './request-size.ts';

/** What the provider has to say to one request. */
export type ProviderAnswer = { status: number; headers: OutgoingHttpHeaders; body: string | undefined };

/** @throws when the database cannot answer, so that the service's own error handler says so (503). */
export type AnswerRequest = (
  request: IncomingMessage,
  response: ServerResponse,
  exchange: Exchange,
) => Promise<ProviderAnswer>;

type Outcome = { answer: ProviderAnswer } | { error: unknown };

/** The OpenID provider and the one way in. It writes nothing to the response: its answer is a value that passes our own hooks. */
export function createProvider(
  services: Services,
  cookie: { name: string; secure: boolean },
): { provider: Provider; answer: AnswerRequest } {
  const { config } = services;
  const exchanges = createExchanges();
  const provider = new Provider(config.publicUrl, createConfiguration(services, exchanges, cookie));
  pinAddresses(provider, config.publicUrl, cookie.secure);
  rejectControlCharacters(provider);
  compareSecretsByFingerprint(provider);
  nameSessions(provider);
  implyConsent(provider);

  const failures = new WeakMap<IncomingMessage, Error>();
  provider.on('server_error', (ctx, error) => failures.set(ctx.req, error));
  noteRequests(provider, services, exchanges);

  const outcomes = new WeakMap<IncomingMessage, Outcome>();
  provider.use(async (ctx, next) => {
    ctx.respond = false;
    try {
      await next();
      outcomes.set(ctx.req, { answer: takeAnswer(ctx) });
    } catch (error) {
      outcomes.set(ctx.req, { error });
    }
  });
  provider.use(createCrossOriginGate(services));
  provider.use(createAnonymousGate(exchanges));
  provider.use(createSizeGate(services, exchanges));
  provider.use(keepOwnPages(provider, services, exchanges));
  provider.use(createResumeGate(provider, services, exchanges));
  const handle = provider.callback();

  return {
    provider,
    async answer(request, response, exchange) {
      exchanges.set(request, exchange);
      await handle(request, response);
      const failure = failures.get(request);
      if (failure !== undefined) exchange.log.error({ err: failure }, 'the provider failed');
      if (failure !== undefined && isDatabaseUnavailable(failure)) throw failure;
      const outcome = outcomes.get(request) ?? { error: new Error('The provider gave no answer') };
      if ('error' in outcome) throw outcome.error;
      return outcome.answer;
    },
  };
}

/** Moves what Koa has put on the response into a value, so that it is sent the way all answers are. */
function takeAnswer(ctx: Context): ProviderAnswer {
  const headers = ctx.res.getHeaders();
  for (const name of Object.keys(headers)) ctx.res.removeHeader(name);
  // the length is counted again by whoever sends it
  delete headers['content-length'];
  const body: unknown = ctx.body;
  if (ctx.status >= 300 && ctx.status < 400) {
    delete headers['content-type'];
    return { status: ctx.status, headers, body: undefined };
  }
  // an empty text would get a type, which clients that expect JSON refuse
  if (body === '') delete headers['content-type'];
  if (body === null || body === undefined || body === '')
    return { status: ctx.status, headers, body: undefined };
  return { status: ctx.status, headers, body: typeof body === 'string' ? body : JSON.stringify(body) };
}

/**
 * The provider builds its addresses from the request (`Host: evil.test` gave a token endpoint at evil.test). Ours is known:
 * whatever a request says, or leaves out behind a proxy, the addresses are those of the issuer.
 */
function pinAddresses(provider: Provider, publicUrl: string, secure: boolean): void {
  const { protocol, host } = new URL(publicUrl);
  Object.defineProperties(provider.request, {
    protocol: { get: () => protocol.slice(0, -1) },
    host: { get: () => host },
    href: { get: () => `${publicUrl}/` },
    secure: { get: () => secure },
  });
}

/**
 * Rejects a request with a control character in any parameter, wherever it was sent: OAuth allows none (RFC 6749, appendix A), and
 * PostgreSQL cannot store a NUL. The provider assigns the decoded parameters of each request, of a query or of a form, to this property
 * before it uses any of them. The error is never sent to the application's redirect URI, whose own parameters may be the bad ones.
 */
function rejectControlCharacters(provider: Provider): void {
  const accepted = new WeakMap<object, object>();
  Object.defineProperty(provider.OIDCContext.prototype, 'params', {
    get(this: object) {
      return accepted.get(this);
    },
    set(this: object, params: object) {
      for (const [name, value] of Object.entries(params)) {
        const texts = [value as unknown].flat().filter((text) => typeof text === 'string');
        if (texts.some(hasControlCharacter)) {
          const error = new errors.InvalidRequest(`${name} must not contain control characters`);
          throw Object.assign(error, { allow_redirect: false });
        }
      }
      accepted.set(this, params);
    },
  });
}

/** Client secrets are 256 random bits and kept as a fingerprint: a copy of the database holds none that works. */
function compareSecretsByFingerprint(provider: Provider): void {
  provider.Client.prototype.compareClientSecret = function compare(actual) {
    return this.clientSecret !== undefined && isFingerprintOf(this.clientSecret, actual);
  };
}

/**
 * Refresh tokens need no `prompt=consent`, without which the provider drops `offline_access` (OpenID Connect Core, 11, leaves other
 * conditions to the provider): clients are registered by the operator, and there is nothing to ask.
 */
function implyConsent(provider: Provider): void {
  Object.defineProperty(provider.OIDCContext.prototype, 'prompts', {
    get(this: KoaContextWithOIDC['oidc']) {
      const asked = new Set(
        typeof this.params?.['prompt'] === 'string' ? this.params['prompt'].split(' ') : [],
      );
      // `none` stands alone
      return asked.has('none') ? asked : asked.add('consent');
    },
  });
}

/** Every ID token names its session (`sid`), so that any application can be told which one has ended, by whatever way. */
function nameSessions(provider: Provider): void {
  Object.assign(provider.Client.prototype, { includeSid: () => true });
}
