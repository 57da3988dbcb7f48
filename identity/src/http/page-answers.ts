import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { calls, localeFileVersion, supportedLocales } from '@anteroom/contract';
import type { CallAnswer, Locale } from '@anteroom/contract';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Config } from '../config.ts';
import { cookieValues } from './cookies.ts';
import { localeOf } from './language.ts';

/** After a slow answer pages come without any for this long, so that a busy service does not answer each call twice. */
const restMs = 10_000;
/** Higher ones cost several times the processor for a few bytes. */
const brotliQuality = 5;

/**
 * Puts the answers that the first screen of a sign-in asks for into the page, so that the form waits for no call: the context, the site's
 * settings, the configuration and the texts. They are inert JSON, by the addresses that the page would ask (`web/src/boot/early.ts`).
 * Resolves to undefined where the page as it was built serves better.
 */
export function createPageAnswers(
  app: FastifyInstance,
  webDist: string,
  { publicUrl, pageAnswersMs: patienceMs }: Pick<Config, 'publicUrl' | 'pageAnswersMs'>,
): (request: FastifyRequest, reply: FastifyReply) => Promise<Buffer | undefined> {
  const [head = '', tail = ''] = splitAtFirstScript(readFileSync(join(webDist, 'index.html'), 'utf8'));
  const texts = new Map(supportedLocales.map((locale) => [locale, readTexts(webDist, locale)]));
  const { origin } = new URL(publicUrl);
  let restsUntilMs = 0;

  /** As the page's own script would ask, with the browser's headers and from its address. */
  async function ask(request: FastifyRequest, url: string, locale: Locale) {
    const response = await app.inject({
      method: 'GET',
      url,
      remoteAddress: request.socket.remoteAddress ?? '',
      headers: {
        ...request.headers,
        accept: 'application/json',
        'accept-language': locale,
        'conforming-errors': 'true',
        'sec-fetch-site': 'same-origin',
        'sec-fetch-mode': 'cors',
        'sec-fetch-dest': 'empty',
        'x-correlation-id': request.id,
      },
    });
    return response.statusCode === 200 ? response : undefined;
  }

  async function collect(request: FastifyRequest): Promise<Collected | undefined> {
    const returnUrl = findParameter(new URL(request.url, 'http://page').searchParams, 'ReturnUrl');
    const locale = findRequestedLocale(returnUrl) ?? localeOf(request.headers);
    const site = findPageCookie(request, 'anteroom_site');
    const contextAddress = addressOf(calls.getAuthContext.path, { returnUrl, site });
    const [context, config] = await Promise.all([
      ask(request, contextAddress, locale),
      ask(request, calls.getConfig.path, locale),
    ]);
    if (context === undefined) return undefined;
    const { defaultSite, identityServiceUrl } = context.json<CallAnswer<'getAuthContext'>>();
    const settingsAddress = addressOf(calls.getSiteSettings.path, {
      returnUrl,
      site: defaultSite ?? undefined,
    });
    // Another region's service answers for its sites.
    const settings =
      defaultSite && URL.parse(identityServiceUrl ?? publicUrl)?.origin === origin
        ? await ask(request, settingsAddress, locale)
        : undefined;
    return {
      cookies: context.headers['set-cookie'] ?? [],
      answers: {
        date: new Date().toUTCString(),
        [contextAddress]: context.json<unknown>(),
        [localeFileAddress(locale)]: texts.get(locale),
        ...(config && { [calls.getConfig.path]: config.json<unknown>() }),
        ...(settings && { [settingsAddress]: settings.json<unknown>() }),
      },
    };
  }

  return async (request, reply) => {
    if (patienceMs === 0 || !isVisitor(request) || Date.now() < restsUntilMs) return undefined;
    const patience = new AbortController();
    const tooLate = wait(patienceMs, 'too late' as const, { signal: patience.signal }).catch(() => undefined);
    const collected = await Promise.race([collect(request).catch(() => undefined), tooLate]);
    patience.abort();
    if (collected === 'too late') restsUntilMs = Date.now() + restMs;
    if (collected === 'too late' || collected === undefined) return undefined;
    reply.header('set-cookie', collected.cookies);
    const json = JSON.stringify(collected.answers).replaceAll('<', String.raw`\u003c`);
    const page = `${head}<script type="application/json" data-answers>${json}</script>${tail}`;
    return await compress(page, request, reply);
  };
}

type Collected = { cookies: string | string[]; answers: object };

/** A prefetch or a robot begins no sign-in: it gets no session. */
function isVisitor({ headers }: FastifyRequest): boolean {
  const isEarly = headers['sec-purpose'] !== undefined || headers['purpose'] !== undefined;
  return !isEarly && !/bot\b|crawl|spider|preview/i.test(headers['user-agent'] ?? '');
}

/** The script that looks for the answers is the first of the page. */
function splitAtFirstScript(page: string): string[] {
  const at = page.search(/<script|$/);
  return [page.slice(0, at), page.slice(at)];
}

const localeFileAddress = (locale: Locale): string => `/ui/assets/i18n/${locale}-${localeFileVersion}.json`;

/** The texts of a language; undefined where the build has none. */
function readTexts(webDist: string, locale: Locale): unknown {
  const file = join(webDist, localeFileAddress(locale).slice('/ui/'.length));
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : undefined;
}

/** A query parameter by its name without regard to case, as the page reads it. */
function findParameter(search: URLSearchParams, name: string): string | undefined {
  return [...search].find(([key]) => key.toLowerCase() === name.toLowerCase())?.[1];
}

function findRequestedLocale(returnUrl: string | undefined): Locale | undefined {
  const query = new URLSearchParams(/\?([^#]*)/.exec(returnUrl ?? '')?.[1]);
  const [language] = (findParameter(query, 'requested_language') ?? '').toLowerCase().split(/[-_]/);
  return supportedLocales.find((locale) => locale === language);
}

/** A cookie that the page has written; of two the page takes the last. */
function findPageCookie({ headers }: FastifyRequest, name: string): string | undefined {
  const value = cookieValues(headers.cookie, name).at(-1);
  try {
    return value === undefined ? undefined : decodeURIComponent(value);
  } catch {
    return undefined;
  }
}

/** Written as the page writes it (`web/src/api/send-call.ts`). */
function addressOf(path: string, query: Record<string, string | undefined>): string {
  const given = Object.entries(query).filter((entry): entry is [string, string] => entry[1] !== undefined);
  const search = new URLSearchParams(given).toString();
  return search === '' ? path : `${path}?${search}`;
}

const brotli = promisify(brotliCompress);
const deflate = promisify(gzip);

async function compress(page: string, request: FastifyRequest, reply: FastifyReply): Promise<Buffer> {
  const accepted = String(request.headers['accept-encoding'] ?? '');
  reply.header('vary', 'accept-encoding');
  if (/\bbr\b/.test(accepted)) {
    reply.header('content-encoding', 'br');
    return await brotli(page, { params: { [constants.BROTLI_PARAM_QUALITY]: brotliQuality } });
  }
  if (!/\bgzip\b/.test(accepted)) return Buffer.from(page);
  reply.header('content-encoding', 'gzip');
  return await deflate(page);
}
