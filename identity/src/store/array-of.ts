import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';

/**
 * An array of texts as one parameter for each. PostgreSQL cannot know the length of an array that is a parameter, and
 * assumes ten elements. The generic plan of a statement then seems so expensive that each execution is planned again.
 */
export function arrayOf(texts: readonly string[]): RawBuilder<string[]> {
  return sql`array[${sql.join(texts)}]::text[]`;
}
