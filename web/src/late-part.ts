/**
 * Loads a chunk that the visitor needs now. After a release, an open page requests files that no longer exist; reloading
 * the page once fixes that, and the page stays visible meanwhile.
 *
 * @throws if the chunk is still missing after a reload, or without a connection
 */
export async function requirePart<TPart>(
  name: string,
  load: () => Promise<TPart>,
  reload: 'once' | 'untouched' = 'once',
): Promise<TPart> {
  try {
    // The second try is for a brief loss of the connection.
    const part = await load().catch(load);
    void loadLate().then((late) => late?.[reload].arrived(name));
    return part;
  } catch (error) {
    if (await (await loadLate())?.[reload].tryReload(name)) return new Promise<never>(() => {});
    throw error;
  }
}

/** Each page loads this chunk after its first screen, before a release can remove it; undefined if it is missing. */
export const loadLate = () => import('./boot/late-start.ts').catch(() => undefined);
