import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import type { Config } from '../config.ts';
import { ContractError } from '../http/errors.ts';
import { siteNameKey } from '../lib/site-name.ts';

export type BoardSystemKeys = {
  /** The board system of the key. @throws `unauthorized` for a missing or unknown key */
  require: (headers: IncomingHttpHeaders) => BoardSystem;
};

export type BoardSystem = {
  name: string;
  /** Whether the key is for this site, whether the site exists or not. */
  canPushTo: (site: string) => boolean;
};

/** A key has 256 random bits (see the operations page), so a fast hash is safe. */
export function createBoardSystemKeys(keys: Config['boardSystems']['keys']): BoardSystemKeys {
  return {
    require({ authorization = '' }) {
      const presented = /^Bearer ([\w+/=~.-]{32,200})$/i.exec(authorization)?.[1];
      if (presented === undefined) throw new ContractError('unauthorized', { detail: 'there is no key' });
      const hash = createHash('sha256').update(presented).digest();
      // Compares with all keys, so that the time does not reveal the closest one.
      const [owner] = keys.filter((key) => timingSafeEqual(key.hash, hash));
      if (owner === undefined) throw new ContractError('unauthorized', { detail: 'the key is unknown' });
      const { name, siteKeys } = owner;
      return { name, canPushTo: (site) => siteKeys?.has(siteNameKey(site)) ?? true };
    },
  };
}
