import { calls } from '@anteroom/contract';
import * as v from 'valibot';
import type { Database } from '../store/schema.ts';
import type { ToDoProvider } from './to-dos.ts';

const bookVersions = calls.getSiteTodo.answer.entries.books;

/** What board systems have told. */
export function createStoredToDos(database: Database): ToDoProvider {
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
