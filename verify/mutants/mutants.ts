import { calls } from '@anteroom/contract';
import type { CallName, ErrorCode } from '@anteroom/contract';
import type { MutableAnswer, MutableRequest, Mutation } from './proxy.ts';

/** A service that breaks one rule. */
export interface Mutant {
  /** The rule that it breaks. */
  breaks: string;
  /** What it does, as the name of its test. */
  does: string;
  /** The rule whose run shows it, where the broken one is a rule of every answer. */
  seenBy?: string;
  /** A new one for each run: a mutation may remember what it has seen. */
  mutate: () => Mutation;
}

type Body = Record<string, unknown>;
type Change = (body: Body, request: MutableRequest, answer: MutableAnswer) => Body | undefined;

const attacker = 'https://attacker.example';

const isCall = (name: CallName, { method, url }: MutableRequest): boolean => {
  const { method: wanted, path } = calls[name];
  return method === wanted && new RegExp(`^${path.replaceAll(/:\w+/g, '[^/]+')}$`).test(url.pathname);
};
const readBody = ({ text }: MutableAnswer): Body => JSON.parse(text) as Body;
const parameter = ({ url, body }: MutableRequest, name: string): string =>
  url.searchParams.get(name) ?? (typeof body?.[name] === 'string' ? body[name] : '');

function write(answer: MutableAnswer, status: number, body?: Body | string): void {
  answer.status = status;
  answer.text = typeof body === 'string' ? body : body ? JSON.stringify(body) : '';
  answer.headers['content-type'] = typeof body === 'string' ? 'text/plain' : 'application/json';
}

/** Changes successful answers to a call; undefined leaves one as it is. */
const success = (names: CallName | readonly CallName[], change: Change) => (): Mutation => ({
  answer: (answer, request) => {
    if (answer.status !== 200 || ![names].flat().some((name) => isCall(name, request))) return;
    const body = change(readBody(answer), request, answer);
    if (body) write(answer, answer.status, body);
  },
});
/** Changes errors of a call. */
const failure =
  (name: CallName, change: (answer: MutableAnswer, body: Body, request: MutableRequest) => void) =>
  (): Mutation => ({
    answer: (answer, request) => {
      if (answer.status >= 400 && isCall(name, request)) change(answer, readBody(answer), request);
    },
  });
/** Answers an error of a call by another code. */
const swap = (name: CallName, from: ErrorCode, to: ErrorCode, status: number) =>
  failure(name, (answer, { code }) => {
    if (code === from) write(answer, status, { code: to });
  });
/** Adds a description to an error where the request is the one that must look like the others. */
const explain = (name: CallName, isMeant: (request: MutableRequest) => boolean) =>
  failure(name, (answer, body, request) => {
    if (isMeant(request)) write(answer, answer.status, { ...body, description: 'There is none.' });
  });
const context: readonly CallName[] = ['getAuthContext', 'getRefreshContext'];

export const mutants: readonly Mutant[] = [
  // requests
  {
    breaks: 'request.anti-forgery',
    does: 'takes a call without the anti-forgery header',
    mutate: () => ({
      request: ({ headers }) => {
        headers['x-xsrf-token'] = /XSRF-TOKEN=([^;]*)/.exec(headers.cookie ?? '')?.[1] ?? '';
      },
    }),
  },
  {
    breaks: 'request.origin',
    does: 'does not look at Origin',
    mutate: () => ({ request: ({ headers }) => delete headers.origin }),
  },
  {
    breaks: 'request.origin',
    does: 'does not look at Sec-Fetch-Site',
    mutate: () => ({ request: ({ headers }) => delete headers['sec-fetch-site'] }),
  },
  {
    breaks: 'request.token-of-another',
    does: 'compares the anti-forgery header with the cookie alone',
    mutate: () => {
      const tokens = new Map<string, string>();
      const find = (text: string, name: string) => new RegExp(`${name}=([^;]*)`).exec(text)?.[1] ?? '';
      return {
        request: ({ headers }) => {
          const token = tokens.get(find(headers.cookie ?? '', 'session'));
          if (token === undefined || find(headers.cookie ?? '', 'XSRF-TOKEN') !== headers['x-xsrf-token'])
            return;
          headers['x-xsrf-token'] = token;
          headers.cookie = headers.cookie?.replace(/XSRF-TOKEN=[^;]*/, `XSRF-TOKEN=${token}`);
        },
        answer: ({ headers }) => {
          const lines = headers['set-cookie']?.join('\n') ?? '';
          if (lines.includes('XSRF-TOKEN')) tokens.set(find(lines, 'session'), find(lines, 'XSRF-TOKEN'));
        },
      };
    },
  },
  {
    breaks: 'request.cross-origin',
    does: 'lets every origin read with cookies',
    mutate: () => ({
      answer: ({ headers }, request) => {
        headers['access-control-allow-origin'] = request.headers.origin ?? '*';
        headers['access-control-allow-credentials'] = 'true';
      },
    }),
  },
  {
    breaks: 'request.content-type',
    does: 'reads JSON whatever the content type is',
    mutate: () => ({
      request: ({ method, headers }) => {
        if (method === 'POST') headers['content-type'] = 'application/json';
      },
    }),
  },
  {
    breaks: 'request.unknown-member',
    does: 'passes an unknown member over',
    mutate: () => ({ request: ({ body }) => delete body?.['isAdmin'] }),
  },
  {
    breaks: 'request.limits',
    does: 'cuts a long user name',
    mutate: () => ({
      request: ({ body }) => {
        if (typeof body?.['userName'] === 'string') body['userName'] = body['userName'].slice(0, 100);
      },
    }),
  },
  {
    breaks: 'request.query-case',
    does: 'reads ReturnUrl in two spellings alone',
    mutate: () => ({ request: ({ url }) => url.searchParams.delete('RETURNURL') }),
  },
  {
    breaks: 'request.not-found',
    does: 'answers a page for an unknown call',
    mutate: () => ({
      answer: (answer, { url }) => {
        if (url.pathname.endsWith('no-such-call')) write(answer, 404, '<h1>Not found</h1>');
      },
    }),
  },
  {
    breaks: 'request.twins',
    does: 'loses the query on the way to the page',
    mutate: () => ({
      answer: ({ headers }) => {
        headers.location = headers.location?.replace(/^(\/ui\/[^?]*)\?.*/, '$1');
      },
    }),
  },
  {
    breaks: 'request.config',
    does: 'has no config.json',
    mutate: () => ({
      answer: (answer, request) => {
        if (isCall('getConfig', request)) write(answer, 404, { code: 'not_found' });
      },
    }),
  },
  {
    breaks: 'request.cookies',
    does: 'sets its cookies with SameSite=None',
    mutate: () => ({
      answer: ({ headers }) => {
        const lines = headers['set-cookie'];
        if (lines) headers['set-cookie'] = lines.map((line) => line.replace(/SameSite=\w+/, 'SameSite=None'));
      },
    }),
  },
  {
    breaks: 'request.cookies',
    does: 'lets scripts read the session cookie',
    mutate: () => ({
      answer: ({ headers }) => {
        const lines = headers['set-cookie'];
        if (lines) headers['set-cookie'] = lines.map((line) => line.replace(/; *HttpOnly/i, ''));
      },
    }),
  },

  // sites
  {
    breaks: 'context.remembered-site',
    does: 'forgets the site of the query',
    mutate: success('getAuthContext', (body) => ({ ...body, defaultSite: undefined })),
  },
  {
    breaks: 'site.existence',
    does: 'answers 404 for an unknown site',
    mutate: success('getSiteExistence', ({ siteExists }, _request, answer) => {
      if (siteExists === false) write(answer, 404, { code: 'not_found' });
      return undefined;
    }),
  },
  {
    breaks: 'site.organisation',
    does: 'names the site as it was typed',
    mutate: success('getSiteExistence', (body, { url }) => ({
      ...body,
      name: url.pathname.split('/').at(-1),
    })),
  },
  {
    breaks: 'settings.site',
    does: 'answers POST otherwise than GET',
    mutate: success('postSiteSettings', () => ({ allowPasswordEntry: false })),
  },
  {
    breaks: 'settings.user',
    does: 'redirects a name that does not exist',
    mutate: success('getUserSettings', (body, request) =>
      parameter(request, 'usernameOrEmail').startsWith('nobody-')
        ? { shouldRedirectToExternalAuth: true }
        : body,
    ),
  },

  // contexts
  {
    breaks: 'context.new-sign-in',
    does: 'names another client',
    mutate: success('getAuthContext', (body) => ({ ...body, clientId: 'another' })),
  },
  {
    breaks: 'context.extensions',
    does: 'answers a page with an unknown extension otherwise',
    mutate: success('getAuthContext', (body, { headers }) =>
      headers['x-anteroom-extensions'] === undefined ? body : { ...body, allowDefaultSiteEntry: false },
    ),
  },
  {
    breaks: 'context.unknown-sign-in',
    does: 'says why a foreign return address is refused',
    mutate: explain('getAuthContext', (request) => parameter(request, 'returnUrl').startsWith(attacker)),
  },
  {
    breaks: 'context.refreshed',
    does: 'refreshes another context',
    mutate: success('getRefreshContext', (body) => ({ ...body, loginHint: 'another' })),
  },
  {
    breaks: 'context.other-browser',
    does: 'tells a browser without a sign-in to follow one',
    mutate: success('getRetry', (body, { headers }) =>
      headers.cookie?.includes('session') ? body : { retry: true },
    ),
  },
  {
    breaks: 'context.prompts',
    does: 'does not name the user who is to prove who they are',
    mutate: success('getAuthContext', ({ userName, ...body }) =>
      body['promptMethod'] === 'elevate' ? body : { ...body, userName },
    ),
  },

  // sign-in elsewhere
  {
    breaks: 'external.redirect',
    does: 'reads another address than it leads to',
    mutate: () => ({
      answer: (answer, request) => {
        if (answer.status === 200 && isCall('getExternalRedirect', request)) answer.text = `${attacker}/`;
      },
    }),
  },
  {
    breaks: 'external.none',
    does: 'leads somewhere for a site without a provider',
    mutate: failure('getExternalRedirect', (answer) => write(answer, 200, `${attacker}/`)),
  },
  {
    breaks: 'external.saml',
    does: 'shows by the error whether a site without SAML exists',
    mutate: explain('getSamlMetadata', ({ url }) => url.pathname.endsWith('no-such-site')),
  },

  // passwords
  {
    breaks: 'authenticate.refused-alike',
    does: 'tells a name that nobody has from a wrong password',
    mutate: explain('authenticate', (request) => parameter(request, 'userName').startsWith('nobody-')),
  },
  {
    breaks: 'authenticate.limited',
    does: 'lets passwords be guessed without end',
    mutate: swap('authenticate', 'rate_limit_reached', 'invalid_credentials', 401),
  },
  {
    breaks: 'authenticate.redirect',
    does: 'leads a complete sign-in to another origin',
    mutate: success('authenticate', (body) => ({ ...body, location: `${attacker}/` })),
  },
  {
    breaks: 'authenticate.unknown-sign-in',
    does: 'sends a code for a sign-in that is not there',
    mutate: failure('resendMfaCode', (answer) => write(answer, 204)),
  },
  {
    breaks: 'password.policy',
    does: 'has another policy for a name that nobody has',
    mutate: success('passwordPolicy', (body, request) =>
      parameter(request, 'userName').startsWith('nobody-') ? { ...body, minimumLength: 8 } : body,
    ),
  },
  {
    breaks: 'password.required-change',
    does: 'does not compare the confirmation',
    mutate: () => ({
      request: ({ body }) => {
        if (body?.['newPasswordConfirmation'] !== undefined)
          body['newPasswordConfirmation'] = body['newPassword'];
      },
    }),
  },
  {
    breaks: 'password.voluntary',
    does: 'changes no password',
    mutate: () => ({
      request: ({ body }) => {
        if (body?.['newPassword'] === undefined) return;
        Object.assign(body, {
          newPassword: 'another lantern orchard 1',
          newPasswordConfirmation: 'another lantern orchard 1',
        });
      },
    }),
  },
  {
    breaks: 'password.not-asked',
    does: 'changes a password that nobody asked to change',
    mutate: failure('passwordReset', (answer) => write(answer, 200, { status: 'redirect', location: '/' })),
  },

  // codes
  {
    breaks: 'code.required',
    does: 'does not say again where the code went',
    mutate: success(context, (body) => ({ ...body, mfaPhoneNumberSuffix: undefined })),
  },
  {
    breaks: 'code.before-password',
    does: 'checks a code before the password',
    mutate: swap('verifyMfaCode', 'unauthorized', 'invalid_credentials', 401),
  },
  {
    breaks: 'code.right',
    does: 'takes every code',
    mutate: failure('verifyMfaCode', (answer) => write(answer, 200, { status: 'redirect', location: '/' })),
  },
  {
    breaks: 'code.once',
    does: 'takes a code twice',
    mutate: () => {
      const right = new Map<string, string>();
      return {
        answer: (answer, request) => {
          if (!isCall('verifyMfaCode', request)) return;
          const key = parameter(request, 'code');
          if (answer.status === 200) right.set(key, answer.text);
          else if (right.has(key)) write(answer, 200, JSON.parse(right.get(key) ?? '') as Body);
        },
      };
    },
  },
  {
    breaks: 'code.max-attempts',
    does: 'lets codes be guessed without end',
    mutate: swap('verifyMfaCode', 'mfa_max_attempts_exceeded', 'invalid_credentials', 401),
  },
  {
    breaks: 'code.expired',
    does: 'calls an old code a wrong one',
    mutate: swap('verifyMfaCode', 'mfa_token_expired', 'invalid_credentials', 401),
  },
  {
    breaks: 'code.resend',
    does: 'accepts a resend that comes too early',
    mutate: failure('resendMfaCode', (answer) => write(answer, 204)),
  },

  // sites of a user
  {
    breaks: 'sites.list',
    does: 'lists a site that the user does not belong to',
    mutate: success('getSites', (body) => {
      const [first] = body['sites'] as Body[];
      return { ...body, sites: [...(body['sites'] as Body[]), { ...first, name: 'of-another' }] };
    }),
  },
  {
    breaks: 'sites.to-dos',
    does: 'shows by the error whether a site exists',
    mutate: explain('getSiteTodo', ({ url }) => url.pathname.includes('no-such-site')),
  },
  {
    breaks: 'sites.to-choose',
    does: 'chooses a site for the user',
    mutate: success('verifyMfaCode', () => ({ status: 'redirect', location: '/' })),
  },
  {
    breaks: 'sites.select',
    does: 'enters the first site whatever was chosen',
    mutate: () => ({
      request: (request) => {
        if (request.body && isCall('selectSite', request) && request.body['site'] === 'northwind')
          request.body['site'] = 'harbor';
      },
    }),
  },

  // finished sign-ins
  {
    breaks: 'finish.retry',
    does: 'sends the browser on again and again',
    mutate: success('getRetry', () => ({ retry: true })),
  },
  {
    breaks: 'finish.post-login-redirect',
    does: 'leads to a foreign return address',
    mutate: failure('getPostLoginRedirect', (answer) => write(answer, 200, { location: `${attacker}/` })),
  },
  {
    breaks: 'finish.left-behind',
    does: "leads to the query's own redirect_uri",
    mutate: success('getAuthContext', (body, request) => {
      const forged = new URLSearchParams(parameter(request, 'returnUrl').split('?')[1]).get('redirect_uri');
      return { ...body, ...(forged !== null && { finishedLocation: forged }) };
    }),
  },
  {
    breaks: 'finish.second-tab',
    does: 'finishes a second tab that asked for the password',
    mutate: () => {
      let location: unknown;
      return {
        answer: (answer, request) => {
          if (answer.status !== 200) return;
          if (isCall('authenticate', request)) ({ location } = readBody(answer));
          if (isCall('getAuthContext', request) && location !== undefined)
            write(answer, 200, { finishedLocation: location, ...readBody(answer) });
        },
      };
    },
  },
  {
    breaks: 'finish.not-yet',
    does: 'finishes a sign-in that waits for a code',
    mutate: success('getAuthContext', (body) => ({ ...body, finishedLocation: '/connect/authorize' })),
  },

  // sign-out and errors
  {
    breaks: 'sign-out.confirmed',
    does: 'signs out without a confirmation',
    mutate: success('getLogoutContext', (body) => ({
      ...body,
      requiresConfirmation: false,
      showCancelButton: false,
    })),
  },
  {
    breaks: 'sign-out.done',
    does: 'asks for a confirmation after the sign-out',
    mutate: success('getLogoutContext', (body) => ({ ...body, requiresConfirmation: true })),
  },
  {
    breaks: 'error.record',
    does: 'gives a local time',
    mutate: success('getErrorMessage', (body) => ({ ...body, timestamp: '2026-11-20 09:30:00' })),
  },

  // every answer
  {
    breaks: 'answer.secret',
    does: 'repeats the phone number',
    seenBy: 'code.required',
    mutate: success('authenticate', (body) => ({ ...body, mfaPhoneNumberSuffix: '+447700900142' })),
  },
  {
    breaks: 'answer.status',
    does: 'answers 203',
    seenBy: 'request.config',
    mutate: success('getConfig', (_body, _request, answer) => void (answer.status = 203)),
  },
  {
    breaks: 'answer.type',
    does: 'calls JSON a page',
    seenBy: 'request.config',
    mutate: success(
      'getConfig',
      (_body, _request, { headers }) => void (headers['content-type'] = 'text/html'),
    ),
  },
  {
    breaks: 'answer.shape',
    does: 'leaves a member out',
    seenBy: 'context.new-sign-in',
    mutate: success('getAuthContext', (body) => ({ ...body, selectSite: undefined })),
  },
  {
    breaks: 'answer.shape',
    does: 'contradicts itself',
    seenBy: 'authenticate.redirect',
    mutate: success('authenticate', (body) => ({ ...body, location: undefined })),
  },
  {
    breaks: 'answer.address',
    does: 'sends a script as an address',
    seenBy: 'context.new-sign-in',
    mutate: success('getAuthContext', (body) => ({ ...body, cancelRedirectUri: 'javascript:alert(1)' })),
  },
  {
    breaks: 'answer.error-body',
    does: 'answers an error without a code',
    seenBy: 'context.unknown-sign-in',
    mutate: failure('getAuthContext', (answer) => write(answer, 404, { error: 'not found' })),
  },
  {
    breaks: 'answer.error-code',
    does: 'invents a code',
    seenBy: 'context.unknown-sign-in',
    mutate: failure('getAuthContext', (answer) => write(answer, 404, { code: 'missing' })),
  },
  {
    breaks: 'answer.error-code',
    does: 'answers a code with another status',
    seenBy: 'context.unknown-sign-in',
    mutate: failure('getAuthContext', (answer) => write(answer, 410, { code: 'not_found' })),
  },
  {
    breaks: 'answer.retry-after',
    does: 'does not say when to try again',
    seenBy: 'authenticate.limited',
    mutate: failure('authenticate', ({ headers }) => delete headers['retry-after']),
  },
  {
    breaks: 'answer.policy-line',
    does: 'names a policy line with another error',
    seenBy: 'authenticate.refused-alike',
    mutate: failure('authenticate', (answer, body) =>
      write(answer, answer.status, { ...body, policyLine: 'minimumLength' }),
    ),
  },
];
