import type { Log } from '../lib/log.ts';
import type { ToDosOfSite } from '@anteroom/contract/board-systems';

export type ToDosQuery = {
  person: { id: string; boardsUserName: string };
  site: { id: string; name: string };
  correlationId: string;
  log: Log;
};

/** A source of to-dos. */
export type ToDoProvider = {
  /**
   * Undefined if there are none for this user. The caller has verified that the user belongs to the site. @throws
   * `upstream_failed` if the board system gives no usable answer, for this site only
   */
  find: (query: ToDosQuery) => Promise<ToDosOfSite | undefined>;
};
