import { createHash } from 'node:crypto';

export type ContentPolicySources = {
  /** The built `index.html`; absent when there is none. */
  page: string | undefined;
  /** Other regions' identity services that the page may call and go to. */
  regionOrigins: readonly string[];
  /** Where a sign-out frame may lead besides. */
  signOutFrameOrigins: readonly string[];
  /** Where sites' logos may come from besides. */
  logoOrigins: readonly string[];
};

/** Where browsers tell us of what the policy forbade. */
export const contentPolicyReportsPath = '/reports/content-policy';
/** The name of that place in `Reporting-Endpoints`. */
export const reportingGroup = 'content-policy';

/**
 * The content security policy of every response. Nothing is allowed that the page does not need, nothing is `unsafe-*`;
 * the styles and the script that stand in `index.html` itself (the first paint) are named by their hashes.
 */
export function contentPolicy(sources: ContentPolicySources): string {
  const { page = '', regionOrigins, signOutFrameOrigins, logoOrigins } = sources;
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
    // The second is for browsers that do not know the first (Firefox, Safari).
    'report-to': [reportingGroup],
    'report-uri': [contentPolicyReportsPath],
  };
  return Object.entries(directives)
    .map(([name, values]) => [name, ...values].join(' '))
    .join('; ');
}

/** `'sha256-…'` of each element of that name that carries its text itself (CSP 3, 8.3). */
function inlineHashes(page: string, element: 'script' | 'style'): string[] {
  const pattern = new RegExp(`<${element}\\b([^>]*)>([\\s\\S]*?)</${element}\\s*>`, 'gi');
  return [...page.matchAll(pattern)]
    .filter(([, attributes = '', text = '']) => !/\bsrc\s*=/i.test(attributes) && text !== '')
    .map(([, , text = '']) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`);
}
