import type { Environment } from './environment.ts';
import { siteNameKey } from './lib/site-name.ts';

/** How the service learns what awaits people at their sites. */
export type BoardSystemSettings = {
  /** The board system that is asked; absent: what board systems have told is read from the database. */
  asked: { url: string; token: string | undefined } | undefined;
  /** Who may tell. */
  keys: BoardSystemKey[];
};

export type BoardSystemKey = {
  /** For the journal. One name may have several keys, while one is changed. */
  name: string;
  /** The SHA-256 of the key. */
  hash: Buffer;
  /** The sites that may be told of, by the keys of their names; absent: any. */
  siteKeys: ReadonlySet<string> | undefined;
};

export function toBoardSystemSettings(env: Environment): BoardSystemSettings {
  return {
    asked:
      env.BOARD_SYSTEM_URL === undefined
        ? undefined
        : { url: env.BOARD_SYSTEM_URL, token: env.BOARD_SYSTEM_TOKEN },
    keys: env.BOARD_SYSTEM_KEYS.map((entry) => {
      const [name = '', hash = '', sites] = entry.split(':');
      const siteKeys = sites === undefined ? undefined : new Set(sites.split('+').map(siteNameKey));
      return { name, hash: Buffer.from(hash, 'hex'), siteKeys };
    }),
  };
}

export function problemsOfBoardSystems(env: Environment): string[] {
  const inTheClear = env.BOARD_SYSTEM_URL?.startsWith('http://') === true;
  return [
    ...(env.NODE_ENV === 'production' && inTheClear
      ? ['BOARD_SYSTEM_URL: must begin with https:// in production']
      : []),
    ...(env.BOARD_SYSTEM_TOKEN !== undefined && env.BOARD_SYSTEM_URL === undefined
      ? ['BOARD_SYSTEM_TOKEN: is for BOARD_SYSTEM_URL, which is not set']
      : []),
  ];
}
