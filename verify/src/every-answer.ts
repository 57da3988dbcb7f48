import type { IncomingHttpHeaders } from 'node:http';
import { calls, errorBody, errorCatalogue, formErrorCodes } from '@anteroom/contract';
import type { Call, CallName, ErrorCode } from '@anteroom/contract';
import { findContradictions } from '@anteroom/contract/answer-rules';
import * as v from 'valibot';
import type { RuleStatement } from './failures.ts';

/** The raw answer, without following redirects. */
export interface Answer {
  status: number;
  headers: IncomingHttpHeaders;
  text: string;
  json: () => Record<string, unknown>;
}

/** An answer, its call, and values that it must not contain. */
interface Context {
  name: CallName;
  call: Call;
  answer: Answer;
  body: unknown;
  secrets: readonly string[];
}

/** A rule about every answer. `find` describes violations; an empty list means that the rule is kept. */
interface AnswerRule extends RuleStatement {
  find: (context: Context) => string[];
}

/** Members with addresses (wire contract, "Addresses that a server sends"). */
const addressMembers: ReadonlySet<string> = new Set([
  'location',
  'identityServiceUrl',
  'authSiteIdentityBaseUri',
  'cancelRedirectUri',
  'originalClientUri',
  'postLogoutRedirectUri',
  'forgotPasswordUrl',
  'siteRecoveryClientUri',
  'signOutIFrameUrl',
  'logoPath',
  'defaultSiteLogoPath',
  'siteLogoPath',
  'finishedLocation',
  'homeUri',
  'globalSupportUrl',
]);

const success = ({ answer }: Context): boolean => answer.status < 400;
const inCatalogue = (body: unknown): body is { code: ErrorCode } =>
  v.is(errorBody, body) && body.code in errorCatalogue;

/** The rules for every answer of the contract, whatever the request. */
export const answerRules: readonly AnswerRule[] = [
  {
    id: 'answer.secret',
    rule: 'No answer contains the password, the code or the phone number of the account, in its body or in a header.',
    section: 'Answers',
    find: ({ answer, secrets }) => {
      const content = `${answer.text} ${JSON.stringify(answer.headers)}`;
      return secrets.some((secret) => content.includes(secret))
        ? ['the answer contains what it must hide']
        : [];
    },
  },
  {
    id: 'answer.status',
    rule: 'A success has status 200, 204 if the call has no answer, and 302 or an address as text if it redirects.',
    section: 'Answers',
    find: (context) => {
      if (!success(context)) return [];
      const { call, answer } = context;
      const allowed = call.kind === 'empty' ? [204] : call.kind === 'redirect' ? [200, 302] : [200];
      return [
        ...(allowed.includes(answer.status) ? [] : [`status ${answer.status}, not ${allowed.join(' or ')}`]),
        ...(answer.status === 204 && answer.text !== '' ? ['a 204 has no body'] : []),
      ];
    },
  },
  {
    id: 'answer.type',
    rule: 'JSON is application/json, an address as text is text/plain, and SAML metadata is an XML type.',
    section: 'Answers',
    find: (context) => {
      const { call, answer } = context;
      if (!success(context) || call.kind === 'empty' || answer.status === 302) return [];
      const type = typeOf(answer);
      const isRight =
        call.kind === 'json'
          ? type === 'application/json'
          : call.kind === 'xml'
            ? type.endsWith('xml')
            : type === 'text/plain';
      return isRight ? [] : [`the content type is ${type}`];
    },
  },
  {
    id: 'answer.shape',
    rule: 'A success has the members of the contract, and no two of them contradict each other.',
    section: 'Answers',
    find: (context) =>
      success(context) && context.call.kind === 'json'
        ? findContradictions(context.name, context.call, context.body)
        : [],
  },
  {
    id: 'answer.address',
    rule: "Every address is an absolute http(s) address or a path of the service's own origin.",
    section: 'Addresses that a server sends',
    find: (context) => {
      if (!success(context)) return [];
      const { call, answer, body } = context;
      const read = call.kind === 'redirect' ? [answer.headers.location ?? answer.text] : addressesIn(body);
      return read.filter((address) => !isAddress(address)).map((address) => `${String(address)} is none`);
    },
  },
  {
    id: 'answer.error-body',
    rule: 'A 4xx or 5xx is application/json with a code and an optional description.',
    section: 'Errors',
    find: (context) => {
      if (success(context)) return [];
      const type = typeOf(context.answer);
      if (type !== 'application/json') return [`the content type is ${type}`];
      return v.is(errorBody, context.body) ? [] : [`the body is ${context.answer.text}`];
    },
  },
  {
    id: 'answer.error-code',
    rule: 'The code of an error is in the contract and has its status.',
    section: 'Errors',
    find: ({ answer, body }) => {
      if (answer.status < 400) return [];
      if (!inCatalogue(body)) return [`the contract has no such code: ${answer.text}`];
      const allowed = formErrorCodes.has(body.code) ? [400, 401] : [errorCatalogue[body.code].status];
      return allowed.includes(answer.status) ? [] : [`${body.code} has status ${allowed.join(' or ')}`];
    },
  },
  {
    id: 'answer.retry-after',
    rule: 'rate_limit_reached and overloaded have Retry-After in whole seconds.',
    section: 'Errors',
    find: ({ answer, body }) => {
      const value = answer.headers['retry-after'];
      const isNeeded = inCatalogue(body) && ['rate_limit_reached', 'overloaded'].includes(body.code);
      if (value === undefined) return isNeeded ? ['there is no Retry-After'] : [];
      return /^\d+$/.test(value) ? [] : [`Retry-After is ${value}`];
    },
  },
  {
    id: 'answer.policy-line',
    rule: 'policyLine is present only with invalid_new_password.',
    section: 'Optional members (2026-11-22)',
    find: ({ answer, body }) =>
      answer.status >= 400 &&
      v.is(errorBody, body) &&
      body.policyLine !== undefined &&
      body.code !== 'invalid_new_password'
        ? [`${body.code} has policyLine`]
        : [],
  },
];

/** The first rule that an answer violates, with the violations. */
export function findFault(
  name: CallName,
  answer: Answer,
  secrets: readonly string[] = [],
): { broken: RuleStatement; seen: string } | undefined {
  const context = { name, call: calls[name], answer, body: parse(answer.text), secrets };
  for (const rule of answerRules) {
    const [first, ...more] = rule.find(context);
    if (first !== undefined) return { broken: rule, seen: `${name}: ${[first, ...more].join('; ')}` };
  }
  return undefined;
}

/**
 * Whether a text is an absolute http(s) address or a path of the service's own origin (wire contract, "Addresses that a
 * server sends").
 */
export function isAddress(text: unknown): boolean {
  if (typeof text !== 'string' || /[\\\t\n\r]/.test(text)) return false;
  if (text.startsWith('/')) return !text.startsWith('//');
  return /^https?:\/\/[^/]/.test(text) && URL.canParse(text);
}

function addressesIn(body: unknown): unknown[] {
  if (typeof body !== 'object' || body === null) return [];
  return Object.entries(body).flatMap(([name, value]: [string, unknown]) =>
    addressMembers.has(name) && value !== null ? [value] : addressesIn(value),
  );
}

function typeOf({ headers }: Answer): string {
  return (headers['content-type'] ?? 'missing').split(';', 1)[0] ?? '';
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
