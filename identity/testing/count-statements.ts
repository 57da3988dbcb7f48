import type { KyselyPlugin, RootOperationNode } from 'kysely';
import type { Database } from '../src/store/schema.ts';

export type CountedDatabase = {
  database: Database;
  /** The SQL of every statement since the last `forget`. */
  statements: () => string[];
  forget: () => void;
};

/** The same database, with a note of each statement that goes to it. */
export function countStatements(database: Database): CountedDatabase {
  const asked: { node: RootOperationNode; id: Parameters<typeof compile>[1] }[] = [];
  const compile = database.getExecutor().compileQuery.bind(database.getExecutor());
  const plugin: KyselyPlugin = {
    transformQuery({ node, queryId }) {
      asked.push({ node, id: queryId });
      return node;
    },
    transformResult: ({ result }) => Promise.resolve(result),
  };
  return {
    database: database.withPlugin(plugin),
    // the audit log is written beside the work, whenever a batch is due
    statements: () =>
      asked.map(({ node, id }) => compile(node, id).sql).filter((sql) => !sql.includes('audit_events')),
    forget: () => void asked.splice(0),
  };
}
