import { createHash } from 'node:crypto';

export type ContentPolicySources = {
  /** The text of the built page, if there is one, and of every other page with inline styles and scripts. */
  page: string | undefined;
  /** Other regions' identity services, which the page can call and navigate to. */
  regionOrigins: readonly string[];
  /** Targets of sign-out frames of another identity service; ours are on its own origin. */
  signOutFrameOrigins?: readonly string[];
  /** Additional sources of site logos. */
  logoOrigins: readonly string[];
};

/** The endpoint for violation reports. */
export const contentPolicyReportsPath = '/reports/content-policy';
/** The endpoint's name in `Reporting-Endpoints`. */
export const reportingGroup = 'content-policy';

/**
 * The content security policy of every response. It allows only what the page needs and has no `unsafe-*`; the inline
 * styles and script of `index.html` (the first paint) are identified by their hashes.
 */
export function contentPolicy(sources: ContentPolicySources): string {
  const { page = '', regionOrigins, signOutFrameOrigins = [], logoOrigins } = sources;
  const directives: Record<string, readonly string[]> = {
    'default-src': ["'none'"],
    'script-src': ["'self'", ...inlineHashes(page, 'script')],
    'style-src': ["'self'", ...inlineHashes(page, 'style')],
    'img-src': ["'self'", ...logoOrigins],
    'font-src': ["'none'"],
    'connect-src': ["'self'", ...regionOrigins],
    'frame-src': ["'self'", ...regionOrigins, ...signOutFrameOrigins],
    'form-action': ["'self'", ...regionOrigins],
    'manifest-src': ["'self'"],
    'object-src': ["'none'"],
    'base-uri': ["'none'"],
    'frame-ancestors': ["'none'"],
    'require-trusted-types-for': ["'script'"],
    'trusted-types': ['dompurify'],
    // `report-uri` is for browsers without `report-to` (Firefox, Safari)
    'report-to': [reportingGroup],
    'report-uri': [contentPolicyReportsPath],
  };
  return Object.entries(directives)
    .map(([name, values]) => [name, ...values].join(' '))
    .join('; ');
}

/** `'sha256-…'` of each inline element of that name (CSP 3, 8.3). */
function inlineHashes(page: string, element: 'script' | 'style'): string[] {
  const pattern = new RegExp(`<${element}\\b([^>]*)>([\\s\\S]*?)</${element}\\s*>`, 'gi');
  const hashes = [...page.matchAll(pattern)]
    .filter(([, attributes = '', text = '']) => !/\bsrc\s*=/i.test(attributes) && text !== '')
    .map(([, , text = '']) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`);
  return [...new Set(hashes)];
}
