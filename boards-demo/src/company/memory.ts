import type { Adapter, AdapterPayload } from 'oidc-provider';

type Kept = { payload: AdapterPayload; expiresAt: number };

/** More entries than a demonstration needs; the oldest is removed first. */
const maximumEntries = 10_000;

/** The in-memory storage of the company's provider. */
export function createMemory(): (model: string) => Adapter {
  const kept = new Map<string, Kept>();

  return (model) => {
    const keyOf = (id: string): string => `${model} ${id}`;
    const find = (matches: (payload: AdapterPayload) => boolean): Promise<AdapterPayload | undefined> =>
      Promise.resolve([...kept.values()].map(({ payload }) => payload).find(matches));
    return {
      upsert(id, payload, expiresInSeconds = 0) {
        kept.set(keyOf(id), { payload, expiresAt: Date.now() + expiresInSeconds * 1000 });
        const [oldest] = kept.keys();
        if (kept.size > maximumEntries && oldest !== undefined) kept.delete(oldest);
        return Promise.resolve();
      },
      find(id) {
        const found = kept.get(keyOf(id));
        return Promise.resolve(found && found.expiresAt > Date.now() ? found.payload : undefined);
      },
      findByUserCode: (userCode) => find((payload) => payload.userCode === userCode),
      findByUid: (uid) => find((payload) => payload.uid === uid),
      consume(id) {
        const found = kept.get(keyOf(id));
        if (found !== undefined) found.payload.consumed = Math.floor(Date.now() / 1000);
        return Promise.resolve();
      },
      destroy(id) {
        kept.delete(keyOf(id));
        return Promise.resolve();
      },
      revokeByGrantId(grantId) {
        for (const [key, { payload }] of kept) if (payload.grantId === grantId) kept.delete(key);
        return Promise.resolve();
      },
    };
  };
}
