import type { Terminal } from './terminal.ts';
import type { Workbench } from './workbench.ts';

/** What a command is given; tests give a database of their own and listen. */
export type World = {
  terminal: Terminal;
  /** Opened when a command first needs it, so that help does without. */
  open: () => Promise<Workbench>;
  /** Files that are named start here. */
  startedIn: string;
};

/** Options that every command has. */
export type CommonOptions = { json?: boolean; input?: boolean };

/** Whether what is missing may be asked for. */
export function mayAsk({ terminal }: World, { input = true }: CommonOptions): boolean {
  return terminal.canAsk && input;
}
