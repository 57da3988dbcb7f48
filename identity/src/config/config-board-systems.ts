import { refuse, refusePlainHttp } from './config-rules.ts';
import type { Environment } from './environment.ts';
import { siteNameKey } from '../lib/names.ts';

/** Where the service gets the to-dos of users. */
export type BoardSystemSettings = {
  /** The board system to request to-dos from; undefined if board systems push them into the database. */
  requested: { url: string; token: string | undefined } | undefined;
  /** The keys of board systems that push to-dos. */
  keys: BoardSystemKey[];
};

export type BoardSystemKey = {
  /** For the log. A name can have several keys during a key change. */
  name: string;
  /** The SHA-256 of the key. */
  hash: Buffer;
  /** The normalised names of the sites that the key is valid for; undefined for all. */
  siteKeys: ReadonlySet<string> | undefined;
};

export function toBoardSystemSettings(env: Environment): BoardSystemSettings {
  return {
    requested:
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
  return [
    ...(env.NODE_ENV === 'production' ? refusePlainHttp('BOARD_SYSTEM_URL', env.BOARD_SYSTEM_URL) : []),
    ...refuse(
      env.BOARD_SYSTEM_TOKEN !== undefined && env.BOARD_SYSTEM_URL === undefined,
      'BOARD_SYSTEM_TOKEN: is for BOARD_SYSTEM_URL, which is not set',
    ),
  ];
}
