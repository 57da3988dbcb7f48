import type { IncomingHttpHeaders } from 'node:http';
import { calls, errorBody, errorCatalogue, formErrorCodes } from '@anteroom/contract';
import type { Call, CallName, ErrorCode } from '@anteroom/contract';
import { findContradictions } from '@anteroom/contract/answer-rules';
import * as v from 'valibot';

/** An answer as it came, redirects not followed. */
export interface Answer {
  status: number;
  headers: IncomingHttpHeaders;
  text: string;
  json: () => Record<string, unknown>;
}

/** What is wrong with an answer, whatever was asked (wire contract, "Errors" and "Answers"). */
export function findFaults(name: CallName, answer: Answer): string[] {
  return answer.status >= 400 ? faultsOfError(answer) : faultsOfSuccess(name, answer);
}

function faultsOfSuccess(name: CallName, answer: Answer): string[] {
  const call: Call = calls[name];
  const type = typeOf(answer);
  switch (call.kind) {
    case 'json':
      if (answer.status !== 200) return [`a success has status 200, not ${answer.status}`];
      if (type !== 'application/json') return [`it is ${type} and not application/json`];
      return findContradictions(name, call, parse(answer.text));
    case 'empty':
      return answer.status === 204 && answer.text === '' ? [] : [`nothing is 204, not ${answer.status}`];
    case 'redirect':
      return faultsOfRedirect(answer, type);
    case 'xml':
      return answer.status === 200 && type.endsWith('xml') ? [] : [`a document is not ${type}`];
    case 'text':
      return answer.status === 200 && type === 'text/plain' ? [] : [`a text is not ${type}`];
  }
}

/** A navigation follows it, a caller that asks for text reads it (wire contract, "External redirect"). */
function faultsOfRedirect({ status, headers, text }: Answer, type: string): string[] {
  const address = status === 302 ? headers.location : type === 'text/plain' ? text : undefined;
  return address !== undefined && isAddress(address) ? [] : [`${status} ${type} leads nowhere: ${text}`];
}

function faultsOfError(answer: Answer): string[] {
  if (typeOf(answer) !== 'application/json') return ['an error is application/json'];
  const body = parse(answer.text);
  if (!v.is(errorBody, body)) return [`an error is a code, and no ${answer.text}`];
  const { code } = body;
  if (!(code in errorCatalogue)) return [`no code of the catalogue: ${code}`];
  const { status } = errorCatalogue[code as ErrorCode];
  const mayHave = formErrorCodes.has(code) ? [400, 401] : [status];
  const retryAfter = answer.headers['retry-after'];
  const mustWait = code === 'rate_limit_reached' || code === 'overloaded';
  return [
    ...(mayHave.includes(answer.status) ? [] : [`${code} comes with ${String(mayHave)}`]),
    ...(mustWait && retryAfter === undefined ? [`${code} says with Retry-After when to try again`] : []),
    ...(body.policyLine === undefined || code === 'invalid_new_password'
      ? []
      : [`${code} is about no line of the password policy`]),
    ...(retryAfter === undefined || /^\d+$/.test(retryAfter) ? [] : ['Retry-After is in whole seconds']),
  ];
}

/** An absolute http(s) address, or a path of the service's own origin (wire contract, "Addresses that a server sends"). */
export function isAddress(text: unknown): boolean {
  if (typeof text !== 'string' || /[\\\t\n\r]/.test(text)) return false;
  if (text.startsWith('/')) return !text.startsWith('//');
  return /^https?:\/\/[^/]/.test(text) && URL.canParse(text);
}

function typeOf({ headers }: Answer): string {
  return (headers['content-type'] ?? 'nothing').split(';', 1)[0] ?? '';
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
