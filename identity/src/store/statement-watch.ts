import type { LogEvent } from 'kysely';

/** A statement that the database has answered: its text, in which every value is a placeholder, and how long it took. */
export type WatchedStatement = { sql: string; durationMs: number; failed: boolean };

/** Who wants to know of statements; made before the database, whose watchers stand on it. */
export type StatementWatch = {
  add: (watcher: (statement: WatchedStatement) => void) => void;
  note: (event: LogEvent) => void;
};

export function createStatementWatch(): StatementWatch {
  const watchers: ((statement: WatchedStatement) => void)[] = [];
  return {
    add: (watcher) => void watchers.push(watcher),
    note({ level, query, queryDurationMillis }) {
      const statement = { sql: query.sql, durationMs: queryDurationMillis, failed: level === 'error' };
      for (const watch of watchers) watch(statement);
    },
  };
}

/** What a statement does, and to which table first: a bounded number of names, because the texts are ours. */
export function describeStatement(sql: string): { operation: string; table: string } {
  const operation = /^\s*(\w+)/.exec(sql)?.[1]?.toLowerCase() ?? 'other';
  const table = /\b(?:from|into|update|join)\s+"?(\w+)"?/i.exec(sql)?.[1]?.toLowerCase() ?? 'none';
  return { operation: known.has(operation) ? operation : 'other', table };
}

const known = new Set(['select', 'insert', 'update', 'delete', 'with', 'begin', 'commit', 'rollback']);
