import type { Environment } from './environment.ts';

/** How the service learns what awaits people at their sites. */
export type BoardSystemSettings = {
  /** The board system that is asked; absent: what board systems have told is read from the database. */
  asked: { url: string; token: string | undefined } | undefined;
  /** Who may tell: the name for the journal, and the SHA-256 of the key. One name may have several, while a key is changed. */
  keys: { name: string; hash: Buffer }[];
};

export function toBoardSystemSettings(env: Environment): BoardSystemSettings {
  return {
    asked:
      env.BOARD_SYSTEM_URL === undefined
        ? undefined
        : { url: env.BOARD_SYSTEM_URL, token: env.BOARD_SYSTEM_TOKEN },
    keys: env.BOARD_SYSTEM_KEYS.map((entry) => {
      const [name = '', hash = ''] = entry.split(':');
      return { name, hash: Buffer.from(hash, 'hex') };
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
