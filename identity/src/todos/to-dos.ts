import { callsToBoardSystem } from '@anteroom/contract/board-systems';
import type { ToDosOfSite } from '@anteroom/contract/board-systems';
import * as v from 'valibot';
import { calls } from '@anteroom/contract';
import { ContractError } from '../http/errors.ts';
import { createCircuitBreaker } from '../lib/circuit-breaker.ts';
import { DeliveryError, codeOfFailedFetch } from '../lib/delivery-error.ts';
import type { Log } from '../lib/log.ts';
import type { Config } from '../config/config.ts';
import type { Database } from '../store/schema.ts';

/**
 * The timeout is short, because the page requests the to-dos of only six sites at once, so a slow site delays the
 * others.
 */
const timeoutMs = 3_000;
/** A thousand books need far less. Longer answers are not read. */
const answerMaximumBytes = 256 * 1024;

const { path, answer: answerSchema } = callsToBoardSystem.askToDos;

/** Requests to-dos from the board system each time that a user opens the list. */
export function createRequestedToDos(
  { url, token }: { url: string; token: string | undefined },
  breaker = createCircuitBreaker(),
): ToDoSource {
  return {
    async find(query) {
      try {
        return await breaker.run(() => requestToDos(addressOf(url, query), token, query.correlationId));
      } catch (error) {
        if (!(error instanceof DeliveryError)) throw error;
        query.log.warn({ site: query.site.name, reason: error.message }, 'the board system did not say');
        throw new ContractError('upstream_failed', {
          detail: 'the board system sent no usable response',
          ...(error.retryAfterSeconds !== undefined && { retryAfterSeconds: error.retryAfterSeconds }),
        });
      }
    },
  };
}

/** Names are only in the query, because in a path a name made of dots would change the path. */
function addressOf(base: string, { user, site }: ToDosQuery): URL {
  const address = new URL(base);
  address.pathname = `${address.pathname.replace(/\/+$/, '')}${path}`;
  address.searchParams.set('site', site.name);
  address.searchParams.set('boardsUserName', user.boardsUserName);
  return address;
}

async function requestToDos(
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

/** Redirects are not followed: they would send the token and the user's name to another host. */
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
  // Only paths, because the values can be personal data.
  throw unusable(result.issues.map((issue) => `${v.getDotPath(issue) ?? ''} ${issue.type}`).join(', '));
}

/** The board system works, but this answer is unusable, so the circuit stays closed for other sites. */
function unusable(why: string): DeliveryError {
  return new DeliveryError('refused', `the answer cannot be used: ${why}`);
}

function noAnswer(error: unknown): DeliveryError {
  return new DeliveryError('unavailable', `no answer (${codeOfFailedFetch(error)})`);
}

type ToDosQuery = {
  user: { id: string; boardsUserName: string };
  site: { id: string; name: string };
  correlationId: string;
  log: Log;
};

/** A source of to-dos. */
export type ToDoSource = {
  /**
   * Finds the user's to-dos; undefined if there are none. The caller has verified that the user belongs to the site.
   * @throws `upstream_failed` if the board system gives no usable answer for this site
   */
  find: (query: ToDosQuery) => Promise<ToDosOfSite | undefined>;
};

/** Requests to-dos from the configured board system, else reads those that board systems have pushed. */
export function createToDos(
  { requested }: Config['boardSystems'],
  { database }: { database: Database },
): ToDoSource {
  return requested === undefined ? createStoredToDos(database) : createRequestedToDos(requested);
}

const bookVersions = calls.getSiteTodo.answer.entries.books;

/** The to-dos that board systems have pushed. */
function createStoredToDos(database: Database): ToDoSource {
  return {
    async find({ user, site }) {
      const row = await database
        .selectFrom('to_dos')
        .selectAll()
        .where('user_id', '=', user.id)
        .where('site_id', '=', site.id)
        .executeTakeFirst();
      return (
        row && {
          pendingVoteCount: row.pending_votes,
          openQuestionnairesCount: row.open_questionnaires,
          directorHomePageEnabled: row.director_home_page_enabled,
          minutesCount: row.minutes,
          actionItemsCount: row.action_items,
          books: v.parse(bookVersions, row.books),
        }
      );
    },
  };
}
