import { AsyncLocalStorage } from 'node:async_hooks';
import type { Config } from '../config/config.ts';

const privateAddressesAllowed = new AsyncLocalStorage<boolean>();

/** Whether requests to private addresses need the client's explicit permission. */
export function guardsPrivateAddresses({
  production,
  external,
}: Pick<Config, 'production'> & { external: Pick<Config['external'], 'privateAddresses'> }): boolean {
  return production || !external.privateAddresses;
}

/**
 * Runs `work` with private addresses permitted. The permission applies to all calls within `work`, because the provider
 * does not pass the client to its `fetch`.
 */
export function allowPrivateAddresses<Result>(work: () => Promise<Result>): Promise<Result> {
  return privateAddressesAllowed.run(true, work);
}

/**
 * The `fetch` for the provider's requests to applications. It follows no redirects; `dispatcher` is the provider's
 * guard against private addresses.
 */
export function callApplication(
  url: string | URL | Request,
  options: RequestInit | undefined,
  isGuarded: boolean,
): Promise<Response> {
  const { dispatcher, ...plain }: RequestInit & { dispatcher?: unknown } = { ...options, redirect: 'error' };
  const isDispatched = isGuarded && privateAddressesAllowed.getStore() !== true;
  return fetch(url, isDispatched ? Object.assign(plain, { dispatcher }) : plain);
}
