import { sql } from 'kysely';
import type { CompiledQuery, RawBuilder } from 'kysely';
import type { Database, DatabaseTransaction } from './schema.ts';

/** A query that is built and compiled on its first use. Later uses only insert their values into its text. */
export type CompiledOnce<Values, Row> = (
  database: Database | DatabaseTransaction,
  values: { readonly [Name in keyof Values]: Values[Name] | RawBuilder<Values[Name]> },
) => RawBuilder<Row>;

/** Stands for a value while the query is compiled. */
class Placeholder {
  readonly name: PropertyKey;
  constructor(name: PropertyKey) {
    this.name = name;
  }
}

/**
 * Prepares a query of a hot path: building and compiling it costs more than all else that the service does for it.
 * `build` must use each value only as a parameter, and must not read it. The result is a part for a larger statement,
 * or a statement.
 */
export function compileOnce<Values extends object, Row>(
  build: (database: Database | DatabaseTransaction, values: Values) => { compile: () => CompiledQuery<Row> },
): CompiledOnce<Values, Row> {
  let compiled: { texts: TemplateStringsArray; parameters: readonly unknown[] } | undefined;
  return (database, values) => {
    compiled ??= compile(build(database, placeholders<Values>()).compile());
    const { texts, parameters } = compiled;
    return sql<Row>(
      texts,
      ...parameters.map((parameter) =>
        parameter instanceof Placeholder ? values[parameter.name as keyof Values] : parameter,
      ),
    );
  };
}

const placeholders = <Values extends object>(): Values =>
  new Proxy({}, { get: (_, name) => new Placeholder(name) }) as Values;

/** The parameters are numbered in the order of the text. */
function compile({ sql: text, parameters }: CompiledQuery): {
  texts: TemplateStringsArray;
  parameters: readonly unknown[];
} {
  const texts = text.split(/\$\d+/);
  if (texts.length !== parameters.length + 1)
    throw new Error(`The parameters of this query are unclear: ${text}`);
  return { texts: Object.assign(texts, { raw: texts }), parameters };
}
