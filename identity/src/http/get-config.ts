import type { Config } from '../config.ts';
import type { CallHandler } from './implementation.ts';

/** `GET /ui/config.json`: the settings of the installation for its front end. */
export function createGetConfig({ config }: { config: Config }): CallHandler<'getConfig'> {
  const { sampleDestination, ...addresses } = config.frontEnd;
  const answer = { ...addresses, ...(sampleDestination && { sampleDestination }) };
  return () => Promise.resolve(answer);
}
