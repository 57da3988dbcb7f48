/** Rows of one statement: PostgreSQL takes 65,535 parameters, and a statement must end before its time-out. */
export const batchSize = 500;

export function* inBatches<Item>(items: readonly Item[], size = batchSize): Generator<Item[]> {
  for (let start = 0; start < items.length; start += size) yield items.slice(start, start + size);
}

/** What a query finds for many keys, asked for in batches. */
export async function findInBatches<Key, Found>(
  keys: Iterable<Key>,
  find: (batch: Key[]) => Promise<Found[]>,
): Promise<Found[]> {
  const found: Found[] = [];
  for (const batch of inBatches([...new Set(keys)])) found.push(...(await find(batch)));
  return found;
}

/** Every row of a query that is asked for page by page, so that whoever reads slowly holds no transaction open. */
export async function* pageThrough<Found>(
  findPage: (after: Found | undefined, size: number) => Promise<Found[]>,
  { size, limit }: { size: number; limit: number },
): AsyncGenerator<Found> {
  let after: Found | undefined;
  for (let left = limit; left > 0;) {
    const wanted = Math.min(size, left);
    const page = await findPage(after, wanted);
    yield* page;
    left -= page.length;
    after = page.at(-1);
    if (page.length < wanted) return;
  }
}
