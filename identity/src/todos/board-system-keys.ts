import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import type { Config } from '../config.ts';
import { ContractError } from '../http/errors.ts';
import { siteNameKey } from '../lib/site-name.ts';

export type BoardSystemKeys = {
  /** The board system that the key belongs to. @throws `unauthorized` for no key, or one that nobody has. */
  require: (headers: IncomingHttpHeaders) => BoardSystem;
};

export type BoardSystem = {
  name: string;
  /** Whether it may tell of a site; nothing is said of whether there is one. */
  mayTellOf: (site: string) => boolean;
};

/** A key is 256 random bits (the operations page says how to make one), so a plain hash is as good as a slow one. */
export function createBoardSystemKeys(keys: Config['boardSystems']['keys']): BoardSystemKeys {
  return {
    require({ authorization = '' }) {
      const presented = /^Bearer ([\w+/=~.-]{32,200})$/i.exec(authorization)?.[1];
      if (presented === undefined) throw new ContractError('unauthorized', { detail: 'there is no key' });
      const hash = createHash('sha256').update(presented).digest();
      // all of them, so that the time does not tell which came close
      const [owner] = keys.filter((key) => timingSafeEqual(key.hash, hash));
      if (owner === undefined) throw new ContractError('unauthorized', { detail: 'nobody has this key' });
      const { name, siteKeys } = owner;
      return { name, mayTellOf: (site) => siteKeys?.has(siteNameKey(site)) ?? true };
    },
  };
}
