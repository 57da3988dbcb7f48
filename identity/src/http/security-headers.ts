import type { ServerResponse } from 'node:http';
import { contentPolicyReportsPath, reportingGroup } from './content-policy.ts';

const yearSeconds = 365 * 24 * 60 * 60;

/** The headers of every response. Only hashed assets override `no-store`. */
export function securityHeaders(options: {
  contentPolicy: string;
  publicUrl: string;
}): Record<string, string> {
  return {
    'content-security-policy': options.contentPolicy,
    'reporting-endpoints': `${reportingGroup}="${options.publicUrl}${contentPolicyReportsPath}"`,
    'x-content-type-options': 'nosniff',
    // For browsers that do not support `frame-ancestors`.
    'x-frame-options': 'DENY',
    // URLs here contain private data. Not `no-referrer`, because browsers would then send `Origin: null` with our own forms.
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

/** Sets the headers before any other code can write, so that every response has them (the provider, a static file, an error). */
export function setSecurityHeaders(
  response: ServerResponse,
  headers: Readonly<Record<string, string>>,
): void {
  for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
}
