import * as v from 'valibot';
import { defineCall } from './call.ts';
import type { ParsedAnswerOf } from './call.ts';
import { bookVersion, getSiteTodo } from './calls/sites.ts';
import { siteNameMaximumLength, userNameMaximumLength } from './limits.ts';
import { count } from './schema.ts';

/** Keeps a request body below its limit of 64 kB; a board system sends more to-dos in several calls. */
export const toDosMaximumCount = 200;

const siteName = v.pipe(v.string(), v.nonEmpty(), v.maxLength(siteNameMaximumLength));
/** The board system's name for the user, as `boardsUserName` of the site list. */
const boardsUserName = v.pipe(v.string(), v.nonEmpty(), v.maxLength(userNameMaximumLength));
/** The maximum is far above any real count and prevents an integer overflow in the database. */
const toDoCount = v.pipe(count, v.maxValue(1_000_000));

/** All to-dos of one user at one site; they replace the previous ones. */
const toDosOfPerson = v.strictObject({
  site: siteName,
  boardsUserName,
  pendingVoteCount: toDoCount,
  openQuestionnairesCount: toDoCount,
  minutesCount: toDoCount,
  actionItemsCount: toDoCount,
  directorHomePageEnabled: v.boolean(),
  /**
   * The current versions of the books, and the versions that the user has seen. A book whose versions differ is shown
   * as new or updated.
   */
  books: v.array(bookVersion),
  seenBooks: v.array(bookVersion),
});
export type ToDosOfPerson = v.InferOutput<typeof toDosOfPerson>;

const putToDos = defineCall({
  method: 'POST',
  path: '/api/board-systems/to-dos',
  summary: 'Replace the to-dos of users at their sites. Idempotent',
  kind: 'json',
  body: v.strictObject({
    /** When the board system read the to-dos. The service ignores to-dos older than those it has, so calls can arrive in any order. */
    at: v.pipe(v.string(), v.isoTimestamp()),
    toDos: v.pipe(v.array(toDosOfPerson), v.minLength(1), v.maxLength(toDosMaximumCount)),
  }),
  answer: v.object({
    /** The number of entries that name a member of a site. */
    known: count,
    /** The zero-based indexes in `toDos` of the other entries: no member of the site has that name, or several have it. */
    unknown: v.array(count),
  }),
});

const askToDos = defineCall({
  method: 'GET',
  path: '/to-dos',
  summary:
    'The to-dos of one user at one site, requested when the user opens the site list; 404 if the board system does not know the user',
  kind: 'json',
  query: v.strictObject({ site: siteName, boardsUserName }),
  answer: getSiteTodo.answer,
});

/** Calls that a board system makes to the identity service, authenticated by a key and never by a cookie. */
export const boardSystemCalls = { putToDos } as const;
/** Calls that the identity service makes to a board system that does not push its to-dos. */
export const callsToBoardSystem = { askToDos } as const;

export type ToDosOfSite = ParsedAnswerOf<typeof askToDos>;
