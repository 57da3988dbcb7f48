import * as v from 'valibot';
import { defineCall } from './call.ts';
import type { CallInputOf, ParsedAnswerOf } from './call.ts';
import { bookVersion, getSiteTodo } from './calls/sites.ts';
import { siteNameMaximumLength, userNameMaximumLength } from './limits.ts';
import { count } from './schema.ts';

/** More of them come in several calls: a body has at most 64 kB. */
export const toDosMaximumCount = 200;

const siteName = v.pipe(v.string(), v.nonEmpty(), v.maxLength(siteNameMaximumLength));
/** What `boardsUserName` of the site list says; the board system knows the person by it. */
const boardsUserName = v.pipe(v.string(), v.nonEmpty(), v.maxLength(userNameMaximumLength));
/** No board has more of anything; the bound keeps a slip of the sender out of the database's integers. */
const toDoCount = v.pipe(count, v.maxValue(1_000_000));

/** What awaits one person at one site, in full: it replaces what was said before. */
const toDosOfPerson = v.strictObject({
  site: siteName,
  boardsUserName,
  pendingVoteCount: toDoCount,
  openQuestionnairesCount: toDoCount,
  minutesCount: toDoCount,
  actionItemsCount: toDoCount,
  directorHomePageEnabled: v.boolean(),
  /** The books as they stand now, and as this person has seen them: what differs is shown as fresh. */
  books: v.array(bookVersion),
  seenBooks: v.array(bookVersion),
});
export type ToDosOfPerson = v.InferOutput<typeof toDosOfPerson>;

const putToDos = defineCall({
  method: 'POST',
  path: '/api/board-systems/to-dos',
  summary: 'A board system says what awaits people at their sites. Saying it twice changes nothing',
  kind: 'json',
  body: v.strictObject({
    /** When the board system looked. What is older than what is known already is passed over, so that calls may arrive in any order. */
    at: v.pipe(v.string(), v.isoTimestamp()),
    toDos: v.pipe(v.array(toDosOfPerson), v.minLength(1), v.maxLength(toDosMaximumCount)),
  }),
  answer: v.object({
    /** How many of them name a member of a site. */
    known: count,
    /** The others, by their place in `toDos`, counted from 0: nobody of that name is a member of that site, or more than one is. */
    unknown: v.array(count),
  }),
});

const askToDos = defineCall({
  method: 'GET',
  path: '/to-dos',
  summary:
    'What awaits one person at one site, asked when they look at their list; 404 where there is nothing to say',
  kind: 'json',
  query: v.strictObject({ site: siteName, boardsUserName }),
  answer: getSiteTodo.answer,
});

/** What a board system may call here; it proves itself with a key and no cookie is looked at. */
export const boardSystemCalls = { putToDos } as const;
/** What a board system answers, where it is asked instead of telling. */
export const callsToBoardSystem = { askToDos } as const;

export type BoardSystemCallInput<TName extends keyof typeof boardSystemCalls> = CallInputOf<
  (typeof boardSystemCalls)[TName]
>;
export type ToDosOfSite = ParsedAnswerOf<typeof askToDos>;
