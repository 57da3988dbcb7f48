import type { Config } from '../config.ts';
import type { Database } from '../store/schema.ts';
import { createAskedToDos } from './asked-to-dos.ts';
import { createStoredToDos } from './stored-to-dos.ts';
import type { ToDoProvider } from './to-dos.ts';

/** Asks the board system where one is configured to be asked, else reads what board systems have told. */
export function createToDos(
  { asked }: Config['boardSystems'],
  { database }: { database: Database },
): ToDoProvider {
  return asked === undefined ? createStoredToDos(database) : createAskedToDos(asked);
}
