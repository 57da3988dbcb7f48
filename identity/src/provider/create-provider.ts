import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http';
import { decodeProtectedHeader } from 'jose';
import type { Context } from 'koa';
import { errors, Provider } from 'oidc-provider';
import type { KoaContextWithOIDC } from 'oidc-provider';
import { createBrowserCookies } from '../http/cookies.ts';
import { ContractError } from '../http/errors.ts';
import type { Exchange } from '../http/exchange.ts';
import { hasControlCharacter } from '../lib/control-characters.ts';
import type { Services } from '../services.ts';
import { isDatabaseUnavailable } from '../store/unavailable.ts';
import { toProviderMetadata } from './clients-store.ts';
import { createConfiguration, signingAlgorithms } from './configuration.ts';
import { createCrossOriginGate } from './cross-origin.ts';
import { createExchangesByRequest } from './exchanges-by-request.ts';
import { isFingerprintOf } from './fingerprint.ts';
import { createResumeGate } from './gate.ts';
import { noteRequests } from './note-requests.ts';
import { keepOwnPages } from './own-pages.ts';
import { createSizeGate } from './request-limits.ts';
import { writeRemaining } from './request-writes.ts';

/** The provider's response to a request. */
export type ProviderAnswer = { status: number; headers: OutgoingHttpHeaders; body: string | undefined };

/** @throws a contract error, or if the database is unavailable, so that the service's error handler answers */
export type AnswerRequest = (
  request: IncomingMessage,
  response: ServerResponse,
  exchange: Exchange,
) => Promise<ProviderAnswer>;

type Outcome = { answer: ProviderAnswer } | { error: unknown };

/**
 * The OpenID provider and its single entry point. It does not write to the response but returns a value, which is sent
 * through the service's own hooks.
 */
export function createProvider(
  services: Services,
  cookie: { name: string; secure: boolean },
): { provider: Provider; answer: AnswerRequest } {
  const { config } = services;
  const exchanges = createExchangesByRequest();
  const provider = new Provider(config.publicUrl, createConfiguration(services, exchanges, cookie));
  pinAddresses(provider, config.publicUrl, cookie.secure);
  rejectControlCharacters(provider);
  compareSecretsByFingerprint(provider);
  nameSessions(provider);
  implyConsent(provider);
  acceptHintsOfEachAlgorithm(provider);

  const failures = new WeakMap<IncomingMessage, Error>();
  provider.on('server_error', (ctx, error) => failures.set(ctx.req, error));
  noteRequests(provider, services, exchanges);

  const outcomes = new WeakMap<IncomingMessage, Outcome>();
  provider.use(async (ctx, next) => {
    ctx.respond = false;
    try {
      await next();
      await writeRemaining(services, ctx);
      outcomes.set(ctx.req, { answer: takeAnswer(ctx) });
    } catch (error) {
      outcomes.set(ctx.req, { error });
    }
  });
  provider.use(createCrossOriginGate(services));
  provider.use(createSizeGate(services, exchanges));
  provider.use(keepOwnPages(provider, services, exchanges));
  provider.use(createResumeGate(provider, services, exchanges));
  const handle = provider.callback();

  return {
    provider,
    async answer(request, response, exchange) {
      exchanges.set(request, exchange);
      const prepared = response.getHeaders();
      await handle(request, response);
      const failure = failures.get(request);
      const isRefusal = failure instanceof ContractError;
      if (failure !== undefined && !isRefusal)
        exchange.log.error({ err: failure }, 'the OpenID provider failed');
      const outcome: Outcome =
        isRefusal || isDatabaseUnavailable(failure)
          ? { error: failure }
          : (outcomes.get(request) ?? { error: new Error('The provider returned no response') });
      if ('error' in outcome) {
        restoreHeaders(response, prepared);
        throw outcome.error;
      }
      return outcome.answer;
    },
  };
}

/** Removes the provider's headers, such as its cookies, so that the service's error handler can answer. */
function restoreHeaders(response: ServerResponse, prepared: OutgoingHttpHeaders): void {
  for (const name of response.getHeaderNames()) response.removeHeader(name);
  for (const [name, value] of Object.entries(prepared)) {
    if (value !== undefined) response.setHeader(name, value);
  }
}

/** Converts Koa's response into a value that the service sends like all other responses. */
function takeAnswer(ctx: Context): ProviderAnswer {
  const headers = ctx.res.getHeaders();
  for (const name of Object.keys(headers)) ctx.res.removeHeader(name);
  // The length is recalculated when the response is sent.
  delete headers['content-length'];
  const body: unknown = ctx.body;
  if (ctx.status >= 300 && ctx.status < 400) {
    delete headers['content-type'];
    return { status: ctx.status, headers, body: undefined };
  }
  // Clients that expect JSON would reject an empty body with a content type.
  if (body === '') delete headers['content-type'];
  if (body === null || body === undefined || body === '')
    return { status: ctx.status, headers, body: undefined };
  return { status: ctx.status, headers, body: typeof body === 'string' ? body : JSON.stringify(body) };
}

/**
 * Builds all of the provider's URLs from the issuer. By default, the provider builds them from the request (`Host:
 * evil.test` produced a token endpoint at evil.test).
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
 * Rejects a request with a control character in any parameter, in the query or in a form: OAuth allows none (RFC 6749,
 * appendix A), and PostgreSQL cannot store a NUL. The check is a setter of `params`, because the provider assigns the
 * decoded parameters of each request to it first. The error is never sent to the redirect URI, which may itself contain
 * the character.
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

/**
 * Client secrets have 256 random bits and are stored as fingerprints, so that a copy of the database contains no usable
 * secret.
 */
function compareSecretsByFingerprint(provider: Provider): void {
  provider.Client.prototype.compareClientSecret = function compare(actual) {
    return this.clientSecret !== undefined && isFingerprintOf(this.clientSecret, actual);
  };
}

/**
 * Adds `prompt=consent` to each request, because the provider issues no refresh token without it. OpenID Connect Core,
 * 11, allows other conditions; here, the operator registers the clients, and there is no consent page.
 */
function implyConsent(provider: Provider): void {
  Object.defineProperty(provider.OIDCContext.prototype, 'prompts', {
    get(this: KoaContextWithOIDC['oidc']) {
      const asked = new Set(
        typeof this.params?.['prompt'] === 'string' ? this.params['prompt'].split(' ') : [],
      );
      // `none` cannot be combined with other prompts
      return asked.has('none') ? asked : asked.add('consent');
    },
  });
}

/** Adds `sid` to every ID token, so that a logout notification can identify the session for any client. */
function nameSessions(provider: Provider): void {
  Object.assign(provider.Client.prototype, { includeSid: () => true });
}

/**
 * Accepts an ID token as a hint after its client has changed to another algorithm. The provider would verify the hint
 * with the client's current algorithm. Instead, this uses the algorithm in the token's header, if the service signs
 * with it. The keys are always the service's own.
 */
function acceptHintsOfEachAlgorithm({ IdToken }: Provider): void {
  const validate = IdToken.validate.bind(IdToken);
  IdToken.validate = async (hint, client) => {
    const algorithm = signingAlgorithms.find((name) => name === readAlgorithm(hint));
    return await validate(hint, algorithm === undefined ? client : signedWith(client, algorithm));
  };
}

/** A view of the client with this algorithm for ID tokens. */
function signedWith<Client extends object>(client: Client, algorithm: string): Client {
  return new Proxy(client, {
    get: (target, name): unknown =>
      name === 'idTokenSignedResponseAlg' ? algorithm : Reflect.get(target, name, target),
  });
}

function readAlgorithm(token: string): string | undefined {
  try {
    return decodeProtectedHeader(token).alg;
  } catch {
    return undefined;
  }
}

/** Validates a client registration with the provider's own rules. Returns the error message, or undefined if it is valid. */
export function createClientCheck(services: Services) {
  const { providerName: name, secure } = createBrowserCookies(services.config.publicUrl);
  const { provider } = createProvider(services, { name, secure });
  return (client: {
    id: string;
    displayName: string;
    metadata: Record<string, unknown>;
  }): string | undefined => {
    try {
      Reflect.construct(provider.Client, [toProviderMetadata(client)]);
      return undefined;
    } catch (error) {
      if (error instanceof errors.OIDCProviderError) return error.error_description ?? error.message;
      throw error;
    }
  };
}
