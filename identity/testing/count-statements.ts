import type { KyselyPlugin, QueryId, RootOperationNode } from 'kysely';
import type { Database } from '../src/store/schema.ts';

export type CountedDatabase = {
  database: Database;
  /** The SQL of every statement that was answered since the last `reset`. */
  statements: () => string[];
  reset: () => void;
};

/** Wraps a database so that every statement is recorded. Subqueries are not counted. */
export function countStatements(database: Database): CountedDatabase {
  const nodes = new WeakMap<QueryId, RootOperationNode>();
  const answered: { node: RootOperationNode; id: QueryId }[] = [];
  const executor = database.getExecutor();
  const plugin: KyselyPlugin = {
    transformQuery({ node, queryId }) {
      nodes.set(queryId, node);
      return node;
    },
    transformResult({ result, queryId }) {
      const node = nodes.get(queryId);
      if (node !== undefined) answered.push({ node, id: queryId });
      return Promise.resolve(result);
    },
  };
  return {
    database: database.withPlugin(plugin),
    // excludes audit events, which are written in the background
    statements: () =>
      answered
        .map(({ node, id }) => executor.compileQuery(node, id).sql)
        .filter((sql) => !sql.includes('audit_events')),
    reset: () => void answered.splice(0),
  };
}
