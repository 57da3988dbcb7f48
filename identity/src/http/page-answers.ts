import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { calls, localeFileVersion, supportedLocales } from '@anteroom/contract';
import type { CallAnswer, Locale } from '@anteroom/contract';
import { accountCalls } from '@anteroom/contract/account';
import type { AccountCallAnswer } from '@anteroom/contract/account';
import { findFirstForm, firstForms, isSiteSelectionDue } from '@anteroom/contract/first-form';
import type { FirstForm } from '@anteroom/contract/first-form';
import { recoveryCalls } from '@anteroom/contract/recovery';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Config } from '../config/config.ts';
import { readBuiltShell } from './built-pages.ts';
import { cookieValues } from './cookies.ts';
import { findLocale, localeOf } from './language.ts';

/** As fast as quality 5 with the default window, and 160 bytes smaller. Quality 11 takes 25 times as long. */
const brotliParameters = {
  [constants.BROTLI_PARAM_QUALITY]: 9,
  [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
  [constants.BROTLI_PARAM_LGWIN]: 16,
};

/** The groups of texts of a page besides those of every page (`needTexts` and `withTexts` in `web/src`). */
const lateTexts = {
  account: ['account', 'authenticator', 'secondFactor'],
  passkey: ['passkey'],
  recovery: ['recovery', 'passwordChange'],
  siteList: ['selectSite'],
};

/**
 * Embeds the responses for the first screen of a sign-in into the page, so that the form needs no call: the context,
 * the site's settings, the configuration and the texts. They are inert JSON, keyed by the URLs that the page would call
 * (`web/src/boot/begin.ts`). If they are late, the page has the likely form without them and makes the calls itself.
 * The list of sites, the account page of a signed-in user, the offer of a passkey and the recovery pages get their
 * responses in the same way.
 * Resolves to undefined if the page should be sent as built.
 */
export function createPageAnswers(
  app: FastifyInstance,
  webDist: string,
  { publicUrl, pageAnswersMs: patienceMs }: Pick<Config, 'publicUrl' | 'pageAnswersMs'>,
): (request: FastifyRequest, reply: FastifyReply, page: AnsweredPage) => Promise<Buffer | undefined> {
  const plainPage = readFileSync(join(webDist, 'index.html'), 'utf8');
  const folders = [
    '',
    ...new Set(
      Object.values(lateTexts)
        .flat()
        .map((group) => `${group}/`),
    ),
  ];
  const textFiles = new Map(
    supportedLocales
      .flatMap((locale) => folders.map((folder) => localeFileAddress(locale, folder)))
      .map((address) => [address, readJson(webDist, address)]),
  );
  const inLanguages = (read: (locale: Locale) => string): Map<Locale, string> =>
    new Map(
      supportedLocales.map((locale) => [
        locale,
        withNoscriptText(read(locale), readNoscriptText(webDist, locale), locale),
      ]),
    );
  const plainPages = inLanguages(() => plainPage);
  const pagesWithForms = new Map(
    firstForms.map((form) => [
      form,
      inLanguages((locale) => readBuiltShell(webDist, locale, form) ?? plainPage),
    ]),
  );
  const { origin } = new URL(publicUrl);

  /** The page with a form; without one, or with the splash screen, which would cover it, the plain page. */
  function pageWith(form: FirstForm | undefined, { isSplashSkipped, locale }: RequestedPage): string {
    const pages = form && isSplashSkipped ? pagesWithForms.get(form) : plainPages;
    return pages?.get(locale) ?? plainPage;
  }

  /** Calls the service as the page's script would, with the browser's headers and address. */
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

  /** The texts of a page, by URL. */
  function textsOf(locale: Locale, groups: readonly string[] = []): Record<string, unknown> {
    const addresses = ['', ...groups.map((group) => `${group}/`)].map((folder) =>
      localeFileAddress(locale, folder),
    );
    return Object.fromEntries(addresses.map((address) => [address, textFiles.get(address)]));
  }

  /** Asks for what depends on the first answer; answers of failed calls are left out. */
  async function askMore(
    request: FastifyRequest,
    locale: Locale,
    addresses: readonly (string | false)[],
  ): Promise<Record<string, unknown>> {
    const entries = addresses.map(async (address) => {
      const response = address !== false && (await ask(request, address, locale));
      return response ? [[address, response.json<unknown>()] as const] : [];
    });
    return Object.fromEntries((await Promise.all(entries)).flat());
  }

  async function collect(request: FastifyRequest, requested: RequestedPage): Promise<Collected | undefined> {
    const { locale, site } = requested;
    const contextAddress = addressOf(calls.getAuthContext.path, { returnUrl: requested.returnUrl, site });
    const context = await ask(request, contextAddress, locale);
    if (context === undefined) return undefined;
    const contextAnswer = context.json<CallAnswer<'getAuthContext'>>();
    const { defaultSite, identityServiceUrl } = contextAnswer;
    const returnUrl = requested.returnUrl ?? contextAnswer.returnUrl ?? undefined;
    // Another region answers for its sites.
    const isHere = URL.parse(identityServiceUrl ?? publicUrl)?.origin === origin;
    const settingsAddress = addressOf(calls.getSiteSettings.path, {
      returnUrl,
      site: defaultSite ?? undefined,
    });
    const isListDue = isHere && isSiteSelectionDue(contextAnswer);
    const more = await askMore(request, locale, [
      calls.getConfig.path,
      isHere && defaultSite != null && settingsAddress,
      isListDue && addressOf(calls.getSites.path, { returnUrl }),
    ]);
    const settings = more[settingsAddress] as CallAnswer<'getSiteSettings'> | undefined;
    return {
      page: pageWith(findFirstForm(contextAnswer, settings), requested),
      cookies: context.headers['set-cookie'] ?? [],
      answers: {
        [contextAddress]: contextAnswer,
        ...textsOf(locale, isListDue ? lateTexts.siteList : []),
        ...more,
      },
    };
  }

  /**
   * For a page outside the sign-in, which begins with one call. Undefined if the call fails, for example on the account
   * page of a visitor who is not signed in, whom the page redirects.
   */
  async function collectLater(
    request: FastifyRequest,
    { locale, query, returnUrl }: RequestedPage,
    page: LaterPage,
  ): Promise<Collected | undefined> {
    const parameters = {
      account: { refererClientId: query('refererClientId') ?? query('state') },
      passkey: { returnUrl },
      recovery: {
        refererClientId: query('refererClientId'),
        refererRedirectUri: query('refererRedirectUri'),
      },
    };
    const firstAddress = addressOf(firstCalls[page].path, parameters[page]);
    const first = await ask(request, firstAddress, locale);
    if (first === undefined) return undefined;
    const answer = first.json<Partial<AccountCallAnswer<'getAccount'>>>();
    return {
      page: plainPages.get(locale) ?? plainPage,
      cookies: first.headers['set-cookie'] ?? [],
      answers: {
        [firstAddress]: answer,
        ...textsOf(locale, lateTexts[page]),
        ...(await askMore(request, locale, [
          calls.getConfig.path,
          !!answer.hasActivity && !answer.isLimited && accountCalls.getAccountActivity.path,
        ])),
      },
    };
  }

  return async (request, reply, page) => {
    if (!isVisitor(request)) return undefined;
    const requested = toRequestedPage(request, page);
    const collecting =
      page === 'sign-in' ? collect(request, requested) : collectLater(request, requested, page);
    const collected = await withPatience(
      patienceMs,
      collecting.catch(() => undefined),
    );
    if (collected === undefined) return undefined;
    if (collected === 'late') {
      if (page !== 'sign-in') return undefined;
      const likelyForm = requested.site === undefined ? 'site-entry' : 'credentials';
      return await compress(pageWith(likelyForm, requested), request, reply);
    }
    reply.header('set-cookie', collected.cookies);
    const answers = { date: new Date().toUTCString(), ...collected.answers };
    const json = JSON.stringify(answers).replaceAll('<', String.raw`\u003c`);
    const [head = '', tail = ''] = splitAtFirstScript(collected.page);
    const answered = `${head}<script type="application/json" data-answers>${json}</script>${tail}`;
    return await compress(answered, request, reply);
  };
}

type Collected = { page: string; cookies: string | string[]; answers: object };

/** The first call of each kind of page outside the sign-in. */
const firstCalls = {
  account: accountCalls.getAccount,
  passkey: calls.getAuthContext,
  recovery: recoveryCalls.getRecoveryContext,
};
type LaterPage = keyof typeof firstCalls;
type AnsweredPage = LaterPage | 'sign-in';

/** The kind of a page whose first calls are known, by its route below `/ui/`. */
export function findAnsweredPage(route: string): AnsweredPage | undefined {
  if (route === '' || route === 'account/login') return 'sign-in';
  if (route === 'account') return 'account';
  if (route === 'account/passkey') return 'passkey';
  return route.startsWith('recovery/') ? 'recovery' : undefined;
}

/** What the request itself says about the page. */
interface RequestedPage {
  /** Finds a parameter of the page's URL. */
  query: (name: string) => string | undefined;
  returnUrl: string | undefined;
  isSplashSkipped: boolean;
  locale: Locale;
  /** The site of the visitor's last sign-in. */
  site: string | undefined;
}

function toRequestedPage(request: FastifyRequest, page: AnsweredPage): RequestedPage {
  const { searchParams } = new URL(request.url, 'http://page');
  const query = (name: string): string | undefined => findParameter(searchParams, name);
  const returnUrl = query('ReturnUrl');
  const culture = page === 'sign-in' ? undefined : findLocale(query('culture') ?? '');
  return {
    query,
    returnUrl,
    isSplashSkipped: query('skip_splash') !== undefined,
    locale: findRequestedLocale(returnUrl) ?? culture ?? localeOf(request.headers),
    site: findPageCookie(request, 'anteroom_site'),
  };
}

/** Resolves to 'late' if the work takes longer than this request can wait. */
async function withPatience<TResult>(patienceMs: number, work: Promise<TResult>): Promise<TResult | 'late'> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<'late'>((resolve) => {
    timer = setTimeout(resolve, patienceMs, 'late');
  });
  return await Promise.race([work, late]).finally(() => clearTimeout(timer));
}

/** Whether the request comes from a visitor. A prefetch or a crawler starts no sign-in and gets no session. */
function isVisitor({ headers }: FastifyRequest): boolean {
  const isEarly = headers['sec-purpose'] !== undefined || headers['purpose'] !== undefined;
  return !isEarly && !/bot\b|crawl|spider|preview/i.test(headers['user-agent'] ?? '');
}

/** Splits the page before its first script, which reads the embedded responses. */
function splitAtFirstScript(page: string): string[] {
  const at = page.search(/<script|$/);
  return [page.slice(0, at), page.slice(at)];
}

const localeFileAddress = (locale: Locale, folder = ''): string =>
  `/ui/assets/i18n/${folder}${locale}-${localeFileVersion}.json`;

/** A JSON file of the build; undefined if the build has none. */
function readJson(webDist: string, address: string): unknown {
  const file = join(webDist, address.slice('/ui/'.length));
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : undefined;
}

function readNoscriptText(webDist: string, locale: Locale): string | undefined {
  const file = readJson(webDist, localeFileAddress(locale, 'noscript/'));
  return (file as { noscript?: { signIn?: string } } | undefined)?.noscript?.signIn;
}

/** Translates the text for visitors without JavaScript, which is English in the built page. */
function withNoscriptText(page: string, text: string | undefined, locale: Locale): string {
  if (text === undefined) return page;
  const element = `<noscript lang="${locale}" dir="auto">${text.replaceAll('<', '&lt;')}</noscript>`;
  return page.replace(/<noscript>.*?<\/noscript>/s, () => element);
}

/** A query parameter by case-insensitive name, as the page reads it. */
function findParameter(search: URLSearchParams, name: string): string | undefined {
  return [...search].find(([key]) => key.toLowerCase() === name.toLowerCase())?.[1];
}

function findRequestedLocale(returnUrl: string | undefined): Locale | undefined {
  const query = new URLSearchParams(/\?([^#]*)/.exec(returnUrl ?? '')?.[1]);
  return findLocale(findParameter(query, 'requested_language') ?? '');
}

/** A cookie that the page has written. If the name occurs twice, the page reads the last one. */
function findPageCookie({ headers }: FastifyRequest, name: string): string | undefined {
  const value = cookieValues(headers.cookie, name).at(-1);
  try {
    return value === undefined ? undefined : decodeURIComponent(value);
  } catch {
    return undefined;
  }
}

/** The URL in the form that the page uses (`web/src/api/send-call.ts`). */
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
    return await brotli(page, { params: brotliParameters });
  }
  if (!/\bgzip\b/.test(accepted)) return Buffer.from(page);
  reply.header('content-encoding', 'gzip');
  return await deflate(page);
}
