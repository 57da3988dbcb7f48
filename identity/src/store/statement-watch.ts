import type { LogEvent } from 'kysely';

/** A completed statement: its text with placeholders for all values, and its duration. */
export type WatchedStatement = { sql: string; durationMs: number; failed: boolean };

/**
 * The observers of statements. It is created before the database, so that observers that need the database can join
 * later.
 */
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

/**
 * The operation of a statement and its first table: the number of names is bounded, because the code contains all
 * statements.
 */
export function describeStatement(sql: string): { operation: string; table: string } {
  const operation = /^\s*(\w+)/.exec(sql)?.[1]?.toLowerCase() ?? 'other';
  const table = /\b(?:from|into|update|join)\s+"?(\w+)"?/i.exec(sql)?.[1]?.toLowerCase() ?? 'none';
  return { operation: known.has(operation) ? operation : 'other', table };
}

const known = new Set(['select', 'insert', 'update', 'delete', 'with', 'begin', 'commit', 'rollback']);
