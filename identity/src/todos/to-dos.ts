import type { Log } from '../lib/log.ts';
import type { ToDosOfSite } from '@anteroom/contract/board-systems';

export type AskedToDos = {
  person: { id: string; boardsUserName: string };
  site: { id: string; name: string };
  correlationId: string;
  log: Log;
};

/** Where it is known what awaits a person at a site. */
export type ToDoProvider = {
  /**
   * Undefined where nothing is known of the person there. Whoever asks has made sure that the site is the person's own.
   * @throws `upstream_failed` when the board system gives no answer that can be used: for this one site, nothing else.
   */
  find: (asked: AskedToDos) => Promise<ToDosOfSite | undefined>;
};
