import type { ServerResponse } from 'node:http';
import { contentPolicyReportsPath, reportingGroup } from './content-policy.ts';

const yearSeconds = 365 * 24 * 60 * 60;

/** The headers of every response of every route. `no-store` holds for all but the hashed assets, which say otherwise themselves. */
export function securityHeaders(options: {
  contentPolicy: string;
  publicUrl: string;
}): Record<string, string> {
  return {
    'content-security-policy': options.contentPolicy,
    'reporting-endpoints': `${reportingGroup}="${options.publicUrl}${contentPolicyReportsPath}"`,
    'x-content-type-options': 'nosniff',
    // Browsers older than `frame-ancestors`.
    'x-frame-options': 'DENY',
    // Addresses here carry what is nobody else's business. Not `no-referrer`: with it a form of our own pages would come with `Origin: null`.
    'referrer-policy': 'same-origin',
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
    'permissions-policy': 'camera=(), geolocation=(), microphone=(), payment=(), usb=()',
    'cache-control': 'no-store',
    ...(options.publicUrl.startsWith('https:') && {
      'strict-transport-security': `max-age=${2 * yearSeconds}; includeSubDomains`,
    }),
  };
}

/** Sets them before anything else can write, so that whatever answers (the provider, a static file, an error) carries them. */
export function setSecurityHeaders(
  response: ServerResponse,
  headers: Readonly<Record<string, string>>,
): void {
  for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
}
