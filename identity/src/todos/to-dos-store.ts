import { calls } from '@anteroom/contract';
import type { BookVersion } from '@anteroom/contract';
import * as v from 'valibot';
import type { Database } from '../store/schema.ts';

/** What awaits a person at one site. */
export type ToDos = {
  pendingVotes: number;
  openQuestionnaires: number;
  minutes: number;
  actionItems: number;
  directorHomePageEnabled: boolean;
  /** The books as they stand now. */
  books: BookVersion[];
};

const bookVersions = calls.getSiteTodo.answer.entries.books;

/** Undefined where the board system has said nothing yet. */
export async function findToDos(
  database: Database,
  personId: string,
  siteId: string,
): Promise<ToDos | undefined> {
  const row = await database
    .selectFrom('to_dos')
    .selectAll()
    .where('person_id', '=', personId)
    .where('site_id', '=', siteId)
    .executeTakeFirst();
  return (
    row && {
      pendingVotes: row.pending_votes,
      openQuestionnaires: row.open_questionnaires,
      minutes: row.minutes,
      actionItems: row.action_items,
      directorHomePageEnabled: row.director_home_page_enabled,
      books: v.parse(bookVersions, row.books) ?? [],
    }
  );
}
