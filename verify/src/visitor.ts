import { strict as assert } from 'node:assert';
import { request as sendHttp } from 'node:http';
import { request as sendHttps } from 'node:https';
import { calls } from '@anteroom/contract';
import type { Call, CallName } from '@anteroom/contract';
import { findFault } from './every-answer.ts';
import type { Answer } from './every-answer.ts';
import { BrokenRuleError, ScenarioError } from './failures.ts';

/** A request and its answer, for the report. */
export interface Exchange {
  method: string;
  path: string;
  status: number;
  contentType: string;
  text: string;
}

/** The input of a call. Not typed by the contract, because rules also send invalid input. */
export interface Input {
  params?: Record<string, string>;
  query?: Record<string, string>;
  /** A value is sent as JSON, a string unchanged. */
  body?: unknown;
  /** Overrides the headers of a front end; undefined omits one. */
  headers?: Record<string, string | undefined>;
}

/**
 * A simulated browser: stores cookies, does not follow redirects, and sends the headers that the contract requires of a
 * front end.
 */
export interface Visitor {
  /** Makes a call of the contract and checks the answer against the rules for every answer. */
  call: (name: CallName, input?: Input) => Promise<Answer>;
  /** Makes a call that must succeed. */
  succeed: (name: CallName, input?: Input) => Promise<Record<string, unknown>>;
  /** Makes a call that must be rejected with one of these codes. */
  refused: (name: CallName, codes: string | readonly string[], input?: Input) => Promise<Answer>;
  /** Sends any other request to the service. */
  ask: (
    method: string,
    address: string,
    headers?: Record<string, string | undefined>,
    body?: string,
  ) => Promise<Answer>;
  /** Follows redirects until a page of the front end or another origin is reached; resolves to that address. */
  follow: (address: string) => Promise<URL>;
  readonly cookies: ReadonlyMap<string, string>;
  /** All `Set-Cookie` headers received. */
  readonly cookieLines: readonly string[];
  /** Adds secrets that no answer may contain. */
  hides: (...secrets: (string | undefined)[]) => void;
}

const mostHops = 10;
const answerTimeoutMs = 30_000;
/** Errors that mean that there is no service at the address. */
const unreachable = ['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN'];

export function createVisitor({
  origin,
  note,
}: {
  origin: string;
  /** Called with every exchange. */
  note: (exchange: Exchange) => void;
}): Visitor {
  const cookies = new Map<string, string>();
  const cookieLines: string[] = [];
  const secrets: string[] = [];

  const ask: Visitor['ask'] = async (method, address, headers = {}, body) => {
    const url = new URL(address, origin);
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const sent: Record<string, string> = {};
    for (const [name, value] of Object.entries({
      ...(cookie === '' ? {} : { cookie }),
      ...(body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) }),
      ...headers,
    }))
      if (value !== undefined) sent[name] = value;
    return new Promise((resolve, reject) => {
      const send = url.protocol === 'https:' ? sendHttps : sendHttp;
      const outgoing = send(url, { method, headers: sent }, (incoming) => {
        for (const line of incoming.headers['set-cookie'] ?? []) {
          cookieLines.push(line);
          keepCookie(cookies, line);
        }
        let text = '';
        incoming.setEncoding('utf8');
        incoming.on('data', (part: string) => (text += part));
        incoming.on('error', reject);
        incoming.on('end', () => {
          const { statusCode: status = 0, headers: received } = incoming;
          const contentType = received['content-type'] ?? '';
          note({ method, path: `${url.pathname}${url.search}`, status, contentType, text });
          resolve({
            status,
            headers: received,
            text,
            // null means absent (wire contract, "Answers").
            json: () =>
              JSON.parse(text, (_name, value: unknown) => value ?? undefined) as Record<string, unknown>,
          });
        });
      });
      outgoing.setTimeout(answerTimeoutMs, () =>
        outgoing.destroy(
          new Error(`${method} ${url.pathname} was not answered in ${answerTimeoutMs / 1000} s`),
        ),
      );
      outgoing.on('error', (error: NodeJS.ErrnoException) =>
        reject(unreachable.includes(error.code ?? '') ? new ScenarioError(error.message) : error),
      );
      outgoing.end(body);
    });
  };

  async function call(name: CallName, { params = {}, query = {}, body, headers }: Input = {}) {
    const contract: Call = calls[name];
    const path = contract.path.replaceAll(/:(\w+)/g, (_, key: string) =>
      encodeURIComponent(params[key] ?? ''),
    );
    const search = new URLSearchParams(query).toString();
    const isPost = contract.method === 'POST';
    const content = isPost && body !== undefined ? asText(body) : undefined;
    const answer = await ask(
      contract.method,
      `${path}${search === '' ? '' : `?${search}`}`,
      {
        accept: 'application/json',
        'accept-language': 'en',
        'x-correlation-id': 'verify-1.1',
        correlationid: 'verify-1',
        'conforming-errors': 'true',
        'sec-fetch-site': 'same-origin',
        ...(isPost && {
          origin,
          'content-type': 'application/json',
          'x-xsrf-token': decodeURIComponent(cookies.get('XSRF-TOKEN') ?? ''),
        }),
        ...headers,
      },
      content,
    );
    const fault = findFault(name, answer, secrets);
    if (fault) throw new BrokenRuleError(fault.broken, fault.seen);
    return answer;
  }

  return {
    ask,
    call,
    async follow(address) {
      let next = new URL(address, origin);
      for (
        let hop = 0;
        hop < mostHops && next.origin === origin && !next.pathname.startsWith('/ui/');
        hop += 1
      ) {
        const { headers } = await ask('GET', next.href, { accept: 'text/html' });
        if (headers.location === undefined) break;
        next = new URL(headers.location, next);
      }
      return next;
    },
    async succeed(name, input) {
      const answer = await call(name, input);
      assert.ok(answer.status < 300, `${name} answered ${answer.status}: ${answer.text}`);
      return answer.text === '' ? {} : answer.json();
    },
    async refused(name, codes, input) {
      const answer = await call(name, input);
      const code = answer.status < 400 ? `nothing, with ${answer.status}` : String(answer.json()['code']);
      assert.ok([codes].flat().includes(code), `${name} was refused with ${code}, not ${String(codes)}`);
      return answer;
    },
    cookies,
    cookieLines,
    hides: (...more) => secrets.push(...more.filter((secret) => secret !== undefined)),
  };
}

function asText(body: unknown): string {
  return typeof body === 'string' ? body : JSON.stringify(body);
}

function keepCookie(cookies: Map<string, string>, line: string): void {
  const [pair = '', ...attributes] = line.split(';').map((part) => part.trim());
  const name = pair.slice(0, pair.indexOf('='));
  const value = pair.slice(pair.indexOf('=') + 1);
  const isOver = attributes.some((attribute) => {
    const [key = '', content = ''] = attribute.split('=');
    if (key.toLowerCase() === 'max-age') return Number(content) <= 0;
    return key.toLowerCase() === 'expires' && Date.parse(content) <= Date.now();
  });
  if (isOver) cookies.delete(name);
  else cookies.set(name, value);
}
