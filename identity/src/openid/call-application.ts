import { AsyncLocalStorage } from 'node:async_hooks';
import type { Config } from '../config.ts';

const privateAddressesAllowed = new AsyncLocalStorage<boolean>();

/** Whether requests to applications at addresses of the inner network need a choice of the operator for that client. */
export function guardsPrivateAddresses({
  production,
  external,
}: Pick<Config, 'production'> & { external: Pick<Config['external'], 'privateAddresses'> }): boolean {
  return production || !external.privateAddresses;
}

/** Runs `work`, whose requests to applications may reach private addresses: the provider does not say for which client it calls. */
export function allowPrivateAddresses<Result>(work: () => Promise<Result>): Promise<Result> {
  return privateAddressesAllowed.run(true, work);
}

/** Requests of the provider to applications. No redirect is followed; `dispatcher` is the provider's guard of the inner network. */
export function callApplication(
  url: string | URL | Request,
  options: RequestInit | undefined,
  isGuarded: boolean,
): Promise<Response> {
  const { dispatcher, ...plain }: RequestInit & { dispatcher?: unknown } = { ...options, redirect: 'error' };
  const isDispatched = isGuarded && privateAddressesAllowed.getStore() !== true;
  return fetch(url, isDispatched ? Object.assign(plain, { dispatcher }) : plain);
}
