import type { Config } from '../config.ts';
import * as v from 'valibot';
import type { Database } from '../store/schema.ts';
import { createRequestedToDos } from './requested-to-dos.ts';
import type { ToDoProvider } from './to-dos.ts';
import { calls } from '@anteroom/contract';

/** Requests to-dos from the configured board system, else reads those that board systems have pushed. */
export function createToDos(
  { requested }: Config['boardSystems'],
  { database }: { database: Database },
): ToDoProvider {
  return requested === undefined ? createStoredToDos(database) : createRequestedToDos(requested);
}

const bookVersions = calls.getSiteTodo.answer.entries.books;

/** The to-dos that board systems have pushed. */
function createStoredToDos(database: Database): ToDoProvider {
  return {
    async find({ person, site }) {
      const row = await database
        .selectFrom('to_dos')
        .selectAll()
        .where('person_id', '=', person.id)
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
