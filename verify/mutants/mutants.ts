import { calls } from '@anteroom/contract';
import type { CallName, ErrorCode } from '@anteroom/contract';
import { regionOrigin } from '../drivers/sample-service.ts';
import type { MutableAnswer, MutableRequest, Mutation } from './proxy.ts';

/** A service that breaks one rule. */
export interface Mutant {
  /** The id of the rule. */
  breaks: string;
  /** What the mutant does, for the name of its test. */
  does: string;
  /** The id of the rule whose run detects the mutant, if the broken rule applies to every answer. */
  seenBy?: string;
  /** Creates a mutation for one run; a mutation can have state. */
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

/** Changes successful answers of calls; undefined leaves an answer unchanged. */
const success = (names: CallName | readonly CallName[], change: Change) => (): Mutation => ({
  answer: (answer, request) => {
    if (answer.status !== 200 || ![names].flat().some((name) => isCall(name, request))) return;
    const body = change(readBody(answer), request, answer);
    if (body) write(answer, answer.status, body);
  },
});
/** Changes error answers of a call. */
const failure =
  (name: CallName, change: (answer: MutableAnswer, body: Body, request: MutableRequest) => void) =>
  (): Mutation => ({
    answer: (answer, request) => {
      if (answer.status >= 400 && isCall(name, request)) change(answer, readBody(answer), request);
    },
  });
/** Replaces the code of an error. */
const swap = (name: CallName, from: ErrorCode, to: ErrorCode, status: number) =>
  failure(name, (answer, { code }) => {
    if (code === from) write(answer, status, { code: to });
  });
/** Adds a description to an error, which reveals a difference that the contract requires to hide. */
const explain = (name: CallName, applies: (request: MutableRequest) => boolean) =>
  failure(name, (answer, body, request) => {
    if (applies(request)) write(answer, answer.status, { ...body, description: 'There is none.' });
  });
const context: readonly CallName[] = ['getAuthContext', 'getRefreshContext'];

export const mutants: readonly Mutant[] = [
  // requests
  {
    breaks: 'request.anti-forgery',
    does: 'accepts a call without the anti-forgery header',
    mutate: () => ({
      request: ({ headers }) => {
        headers['x-xsrf-token'] = /XSRF-TOKEN=([^;]*)/.exec(headers.cookie ?? '')?.[1] ?? '';
      },
    }),
  },
  {
    breaks: 'request.origin',
    does: 'ignores Origin',
    mutate: () => ({ request: ({ headers }) => delete headers.origin }),
  },
  {
    breaks: 'request.origin',
    does: 'ignores Sec-Fetch-Site',
    mutate: () => ({ request: ({ headers }) => delete headers['sec-fetch-site'] }),
  },
  {
    breaks: 'request.token-of-another',
    does: 'compares the anti-forgery header only with the cookie',
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
    does: 'allows every origin to read with cookies',
    mutate: () => ({
      answer: ({ headers }, request) => {
        headers['access-control-allow-origin'] = request.headers.origin ?? '*';
        headers['access-control-allow-credentials'] = 'true';
      },
    }),
  },
  // regions
  {
    breaks: 'region.readable',
    does: 'rejects preflight requests',
    mutate: () => ({
      answer: (answer, { method }) => {
        if (method === 'OPTIONS') write(answer, 404, { code: 'not_found' });
      },
    }),
  },
  {
    breaks: 'region.readable',
    does: 'does not allow a header of the front end',
    mutate: () => ({
      answer: ({ headers }) => {
        if (headers['access-control-allow-headers'] !== undefined)
          headers['access-control-allow-headers'] = 'content-type, x-correlation-id, correlationid';
      },
    }),
  },
  {
    breaks: 'region.readable',
    does: 'allows no cookies',
    mutate: () => ({ answer: ({ headers }) => delete headers['access-control-allow-credentials'] }),
  },
  {
    breaks: 'region.readable',
    does: 'allows only successful answers to be read',
    mutate: () => ({
      answer: ({ status, headers }) => {
        if (status >= 400) delete headers['access-control-allow-origin'];
      },
    }),
  },
  {
    breaks: 'region.readable',
    does: 'does not expose Retry-After',
    mutate: () => ({
      answer: ({ headers }) => {
        headers['access-control-expose-headers'] = 'Date';
      },
    }),
  },
  {
    breaks: 'region.listed-alone',
    does: 'allows subdomains of a listed origin to read',
    mutate: () => ({
      answer: ({ headers }, request) => {
        const { origin = '' } = request.headers;
        if (origin.endsWith(`.${new URL(regionOrigin).host}`))
          headers['access-control-allow-origin'] = origin;
      },
    }),
  },
  {
    breaks: 'region.listed-alone',
    does: 'accepts calls of an origin that begins like a listed one',
    mutate: () => ({
      request: ({ headers }) => {
        if (headers.origin?.startsWith(regionOrigin)) headers.origin = regionOrigin;
      },
    }),
  },
  {
    breaks: 'region.state-change',
    does: 'accepts calls of a listed region without the headers that force a preflight request',
    mutate: () => ({
      request: ({ headers }) => {
        headers['x-correlation-id'] ??= 'any';
        headers['conforming-errors'] ??= 'true';
      },
    }),
  },
  {
    breaks: 'region.state-change',
    does: 'accepts any content type from a listed region',
    mutate: () => ({
      request: ({ method, headers }) => {
        if (method === 'POST' && headers.origin === regionOrigin)
          headers['content-type'] = 'application/json';
      },
    }),
  },
  {
    breaks: 'region.state-change',
    does: 'requires its own anti-forgery token from a listed region',
    mutate: () => ({
      answer: (answer, { method, headers }) => {
        if (method === 'POST' && headers.origin === regionOrigin && headers['x-xsrf-token'] === undefined)
          write(answer, 403, { code: 'csrf_failed' });
      },
    }),
  },
  {
    breaks: 'request.content-type',
    does: 'reads JSON with any content type',
    mutate: () => ({
      request: ({ method, headers }) => {
        if (method === 'POST') headers['content-type'] = 'application/json';
      },
    }),
  },
  {
    breaks: 'request.unknown-member',
    does: 'ignores an unknown member',
    mutate: () => ({ request: ({ body }) => delete body?.['isAdmin'] }),
  },
  {
    breaks: 'request.limits',
    does: 'truncates a long user name',
    mutate: () => ({
      request: ({ body }) => {
        if (typeof body?.['userName'] === 'string') body['userName'] = body['userName'].slice(0, 100);
      },
    }),
  },
  {
    breaks: 'request.query-case',
    does: 'accepts only two spellings of ReturnUrl',
    mutate: () => ({ request: ({ url }) => url.searchParams.delete('RETURNURL') }),
  },
  {
    breaks: 'request.not-found',
    does: 'answers an unknown call with a page',
    mutate: () => ({
      answer: (answer, { url }) => {
        if (url.pathname.endsWith('no-such-call')) write(answer, 404, '<h1>Not found</h1>');
      },
    }),
  },
  {
    breaks: 'request.twins',
    does: 'drops the query of a redirect to the page',
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
    does: 'ignores the site in the query',
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
    does: 'returns the name of a site as it was typed',
    mutate: success('getSiteExistence', (body, { url }) => ({
      ...body,
      name: url.pathname.split('/').at(-1),
    })),
  },
  {
    breaks: 'site.limited',
    does: 'does not limit look-ups of unknown sites',
    mutate: failure('getSiteExistence', (answer) => write(answer, 200, { siteExists: false })),
  },
  {
    breaks: 'site.limited',
    does: 'answers existing sites above the limit',
    mutate: failure('getSiteExistence', (answer, _body, { url }) => {
      if (url.pathname.endsWith('/harbor'))
        write(answer, 200, { siteExists: true, identityServiceUrl: url.origin });
    }),
  },
  {
    breaks: 'site.limited',
    does: 'names a wait that is too short',
    mutate: failure('getSiteExistence', ({ headers }) => {
      headers['retry-after'] = '1';
    }),
  },
  {
    breaks: 'settings.site',
    does: 'answers POST and GET differently',
    mutate: success('postSiteSettings', () => ({ allowPasswordEntry: false })),
  },
  {
    breaks: 'settings.user',
    does: 'redirects an unknown user name to a provider',
    mutate: success('getUserSettings', (body, request) =>
      parameter(request, 'usernameOrEmail').startsWith('nobody-')
        ? { shouldRedirectToExternalAuth: true }
        : body,
    ),
  },

  // contexts
  {
    breaks: 'context.new-sign-in',
    does: 'names the wrong client',
    mutate: success('getAuthContext', (body) => ({ ...body, clientId: 'another' })),
  },
  {
    breaks: 'context.extensions',
    does: 'answers differently to a page with an unknown extension',
    mutate: success('getAuthContext', (body, { headers }) =>
      headers['x-anteroom-extensions'] === undefined ? body : { ...body, allowDefaultSiteEntry: false },
    ),
  },
  {
    breaks: 'context.unknown-sign-in',
    does: 'says why it rejects a foreign return address',
    mutate: explain('getAuthContext', (request) => parameter(request, 'returnUrl').startsWith(attacker)),
  },
  {
    breaks: 'context.refreshed',
    does: 'refreshes the wrong context',
    mutate: success('getRefreshContext', (body) => ({ ...body, loginHint: 'another' })),
  },
  {
    breaks: 'context.other-browser',
    does: 'has a sign-in to follow for a browser without one',
    mutate: success('getRetry', (body, { headers }) =>
      headers.cookie?.includes('session') ? body : { retry: true },
    ),
  },
  {
    breaks: 'context.prompts',
    does: 'does not name the user who must authenticate again',
    mutate: success('getAuthContext', ({ userName, ...body }) =>
      body['promptMethod'] === 'elevate' ? body : { ...body, userName },
    ),
  },

  // sign-in elsewhere
  {
    breaks: 'external.redirect',
    does: 'returns another address than the redirect has',
    mutate: () => ({
      answer: (answer, request) => {
        if (answer.status === 200 && isCall('getExternalRedirect', request)) answer.text = `${attacker}/`;
      },
    }),
  },
  {
    breaks: 'external.none',
    does: 'redirects for a site without a provider',
    mutate: failure('getExternalRedirect', (answer) => write(answer, 200, `${attacker}/`)),
  },
  {
    breaks: 'external.saml',
    does: 'reveals whether a site without SAML exists',
    mutate: explain('getSamlMetadata', ({ url }) => url.pathname.endsWith('no-such-site')),
  },

  // passwords
  {
    breaks: 'authenticate.refused-alike',
    does: 'distinguishes an unknown user name from a wrong password',
    mutate: explain('authenticate', (request) => parameter(request, 'userName').startsWith('nobody-')),
  },
  {
    breaks: 'authenticate.limited',
    does: 'does not limit password guesses',
    mutate: swap('authenticate', 'rate_limit_reached', 'invalid_credentials', 401),
  },
  {
    breaks: 'authenticate.redirect',
    does: 'redirects a finished sign-in to another origin',
    mutate: success('authenticate', (body) => ({ ...body, location: `${attacker}/` })),
  },
  {
    breaks: 'authenticate.unknown-sign-in',
    does: 'sends a code for a sign-in that does not exist',
    mutate: failure('resendMfaCode', (answer) => write(answer, 204)),
  },
  {
    breaks: 'password.policy',
    does: 'has a different policy for an unknown user name',
    mutate: success('passwordPolicy', (body, request) =>
      parameter(request, 'userName').startsWith('nobody-') ? { ...body, minimumLength: 8 } : body,
    ),
  },
  {
    breaks: 'password.required-change',
    does: 'ignores the confirmation',
    mutate: () => ({
      request: ({ body }) => {
        if (body?.['newPasswordConfirmation'] !== undefined)
          body['newPasswordConfirmation'] = body['newPassword'];
      },
    }),
  },
  {
    breaks: 'password.voluntary',
    does: 'does not change the password',
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
    does: 'changes a password without a request for it',
    mutate: failure('passwordReset', (answer) => write(answer, 200, { status: 'redirect', location: '/' })),
  },

  // codes
  {
    breaks: 'code.required',
    does: 'does not repeat where the code was sent',
    mutate: success(context, (body) => ({ ...body, mfaPhoneNumberSuffix: undefined })),
  },
  {
    breaks: 'code.before-password',
    does: 'verifies a code before the password',
    mutate: swap('verifyMfaCode', 'unauthorized', 'invalid_credentials', 401),
  },
  {
    breaks: 'code.right',
    does: 'accepts every code',
    mutate: failure('verifyMfaCode', (answer) => write(answer, 200, { status: 'redirect', location: '/' })),
  },
  {
    breaks: 'code.once',
    does: 'accepts a code twice',
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
    does: 'does not limit guesses of a code',
    mutate: swap('verifyMfaCode', 'mfa_max_attempts_exceeded', 'invalid_credentials', 401),
  },
  {
    breaks: 'code.expired',
    does: 'reports an expired code as wrong',
    mutate: swap('verifyMfaCode', 'mfa_token_expired', 'invalid_credentials', 401),
  },
  {
    breaks: 'code.resend',
    does: 'accepts a resend during the wait',
    mutate: failure('resendMfaCode', (answer) => write(answer, 204)),
  },

  // sites of a user
  {
    breaks: 'sites.list',
    does: 'lists a site to which the user does not belong',
    mutate: success('getSites', (body) => {
      const [first] = body['sites'] as Body[];
      return { ...body, sites: [...(body['sites'] as Body[]), { ...first, name: 'of-another' }] };
    }),
  },
  {
    breaks: 'sites.to-dos',
    does: 'reveals whether a site exists',
    mutate: explain('getSiteTodo', ({ url }) => url.pathname.includes('no-such-site')),
  },
  {
    breaks: 'sites.to-choose',
    does: 'selects a site for the user',
    mutate: success('verifyMfaCode', () => ({ status: 'redirect', location: '/' })),
  },
  {
    breaks: 'sites.select',
    does: 'enters the first site instead of the selected one',
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
    does: 'redirects the browser in a loop',
    mutate: success('getRetry', () => ({ retry: true })),
  },
  {
    breaks: 'finish.post-login-redirect',
    does: 'redirects to a foreign return address',
    mutate: failure('getPostLoginRedirect', (answer) => write(answer, 200, { location: `${attacker}/` })),
  },
  {
    breaks: 'finish.left-behind',
    does: 'redirects to the redirect_uri of the query',
    mutate: success('getAuthContext', (body, request) => {
      const forged = new URLSearchParams(parameter(request, 'returnUrl').split('?')[1]).get('redirect_uri');
      return { ...body, ...(forged !== null && { finishedLocation: forged }) };
    }),
  },
  {
    breaks: 'finish.second-tab',
    does: 'finishes a second tab that requires the password',
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
    does: 'finishes a sign-in that needs a code',
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
    does: 'requires a confirmation after the sign-out',
    mutate: success('getLogoutContext', (body) => ({ ...body, requiresConfirmation: true })),
  },
  {
    breaks: 'error.record',
    does: 'returns a local time',
    mutate: success('getErrorMessage', (body) => ({ ...body, timestamp: '2026-11-20 09:30:00' })),
  },

  // every answer
  {
    breaks: 'answer.secret',
    does: 'returns the whole phone number',
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
    does: 'labels JSON as HTML',
    seenBy: 'request.config',
    mutate: success(
      'getConfig',
      (_body, _request, { headers }) => void (headers['content-type'] = 'text/html'),
    ),
  },
  {
    breaks: 'answer.shape',
    does: 'omits a member',
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
    does: 'returns a javascript: address',
    seenBy: 'context.new-sign-in',
    mutate: success('getAuthContext', (body) => ({ ...body, cancelRedirectUri: 'javascript:alert(1)' })),
  },
  {
    breaks: 'answer.error-body',
    does: 'returns an error without a code',
    seenBy: 'context.unknown-sign-in',
    mutate: failure('getAuthContext', (answer) => write(answer, 404, { error: 'not found' })),
  },
  {
    breaks: 'answer.error-code',
    does: 'returns an unknown code',
    seenBy: 'context.unknown-sign-in',
    mutate: failure('getAuthContext', (answer) => write(answer, 404, { code: 'missing' })),
  },
  {
    breaks: 'answer.error-code',
    does: 'returns a code with the wrong status',
    seenBy: 'context.unknown-sign-in',
    mutate: failure('getAuthContext', (answer) => write(answer, 410, { code: 'not_found' })),
  },
  {
    breaks: 'answer.retry-after',
    does: 'omits Retry-After',
    seenBy: 'authenticate.limited',
    mutate: failure('authenticate', ({ headers }) => delete headers['retry-after']),
  },
  {
    breaks: 'answer.policy-line',
    does: 'returns a policy line with the wrong error',
    seenBy: 'authenticate.refused-alike',
    mutate: failure('authenticate', (answer, body) =>
      write(answer, answer.status, { ...body, policyLine: 'minimumLength' }),
    ),
  },
];
