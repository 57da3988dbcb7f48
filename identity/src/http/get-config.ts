import type { Config } from '../config.ts';
import type { CallHandler } from './implementation.ts';

/** `GET /ui/config.json`: what an installation tells its front end. */
export function createGetConfig({ config }: { config: Config }): CallHandler<'getConfig'> {
  const { globalSupportUrl, privacyPolicyBaseUrl, directorClientIds, sampleDestination } = config.frontEnd;
  const answer = {
    globalSupportUrl,
    privacyPolicyBaseUrl,
    directorClientIds,
    ...(sampleDestination && { sampleDestination }),
  };
  return () => Promise.resolve(answer);
}
