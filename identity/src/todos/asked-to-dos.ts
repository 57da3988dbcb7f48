import { callsToBoardSystem } from '@anteroom/contract/board-systems';
import type { ToDosOfSite } from '@anteroom/contract/board-systems';
import * as v from 'valibot';
import { ContractError } from '../http/errors.ts';
import { createCircuitBreaker } from '../lib/circuit-breaker.ts';
import { DeliveryError } from '../lib/delivery-error.ts';
import type { AskedToDos, ToDoProvider } from './to-dos.ts';

/** The list waits for nobody longer: the page asks for six sites at once, and a slow one takes the place of another. */
const timeoutMs = 3_000;
/** A thousand books are far less; more of an answer is not read. */
const answerMaximumBytes = 256 * 1024;

const { path, answer: answerSchema } = callsToBoardSystem.askToDos;

/** Asks the board system, each time that somebody looks. */
export function createAskedToDos(
  { url, token }: { url: string; token: string | undefined },
  breaker = createCircuitBreaker(),
): ToDoProvider {
  return {
    async find(asked) {
      try {
        return await breaker.run(() => ask(addressOf(url, asked), token, asked.correlationId));
      } catch (error) {
        if (!(error instanceof DeliveryError)) throw error;
        asked.log.warn({ site: asked.site.name, reason: error.message }, 'the board system did not say');
        throw new ContractError('upstream_failed', {
          detail: 'the board system gave no answer that can be used',
          ...(error.retryAfterSeconds !== undefined && { retryAfterSeconds: error.retryAfterSeconds }),
        });
      }
    },
  };
}

/** Names stand in the query alone: in a path, one that is made of dots would lead elsewhere. */
function addressOf(base: string, { person, site }: AskedToDos): URL {
  const address = new URL(base);
  address.pathname = `${address.pathname.replace(/\/+$/, '')}${path}`;
  address.searchParams.set('site', site.name);
  address.searchParams.set('boardsUserName', person.boardsUserName);
  return address;
}

async function ask(
  address: URL,
  token: string | undefined,
  correlationId: string,
): Promise<ToDosOfSite | undefined> {
  const response = await receive(address, {
    accept: 'application/json',
    correlationid: correlationId,
    ...(token !== undefined && { authorization: `Bearer ${token}` }),
  });
  if (response.status === 200) return parseAnswer(await readText(response));
  await response.body?.cancel().catch(() => undefined);
  if (response.status === 404) return undefined;
  throw new DeliveryError('unavailable', `the board system answered ${response.status}`);
}

/** A redirect is not followed: it would carry the token, and the question, to somebody else. */
async function receive(address: URL, headers: Record<string, string>): Promise<Response> {
  try {
    return await fetch(address, { headers, redirect: 'manual', signal: AbortSignal.timeout(timeoutMs) });
  } catch (error) {
    throw noAnswer(error);
  }
}

async function readText(response: Response): Promise<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let text = '';
  let bytes = 0;
  try {
    for await (const part of (response.body ?? []) as AsyncIterable<Uint8Array>) {
      bytes += part.byteLength;
      if (bytes > answerMaximumBytes) break;
      text += decoder.decode(part, { stream: true });
    }
  } catch (error) {
    throw noAnswer(error);
  }
  if (bytes > answerMaximumBytes) throw unusable('it is too long');
  return text;
}

function parseAnswer(text: string): ToDosOfSite {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    throw unusable('it is no JSON');
  }
  const result = v.safeParse(answerSchema, json);
  if (result.success) return result.output;
  // paths only, without values: those may be personal data
  throw unusable(result.issues.map((issue) => `${v.getDotPath(issue) ?? ''} ${issue.type}`).join(', '));
}

/** The board system is well, but what it says of this site cannot be shown: no reason to leave it alone for others. */
function unusable(why: string): DeliveryError {
  return new DeliveryError('refused', `the answer cannot be used: ${why}`);
}

/** The error's code alone: its message may repeat the address, and a person's name stands in that. */
function noAnswer(error: unknown): DeliveryError {
  if (!(error instanceof Error)) return new DeliveryError('unavailable', 'no answer');
  if (error.name === 'TimeoutError') return new DeliveryError('unavailable', 'no answer (timeout)');
  const { cause } = error;
  const code =
    typeof cause === 'object' && cause !== null && 'code' in cause ? String(cause.code) : error.name;
  return new DeliveryError('unavailable', `no answer (${code})`);
}
