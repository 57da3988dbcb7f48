import type { MessageKey } from '../i18n/keys.ts';
import type { Page } from '../flow/model.ts';

/** What the frame needs to know of a page (the specification's "route data"). */
export interface PageFacts {
  title: MessageKey;
  /** The logo is the first heading, the step's own the second. */
  hasH1Logo: boolean;
  /** What readers hear, at once, while a submission of this page is under way. */
  working: MessageKey | undefined;
}

export const pageFacts: Readonly<Record<Page, PageFacts>> = {
  'site-entry': { title: 'titles.site-entry', hasH1Logo: true, working: 'site.checking' },
  credentials: { title: 'titles.credentials', hasH1Logo: true, working: 'login.signingIn' },
  elevate: { title: 'titles.elevate', hasH1Logo: true, working: 'login.signingIn' },
  'password-required': { title: 'titles.password-required', hasH1Logo: true, working: 'login.signingIn' },
  'second-factor-required': {
    title: 'titles.second-factor-required',
    hasH1Logo: true,
    working: 'mfa.verifying',
  },
  'password-reset-required': {
    title: 'titles.password-reset-required',
    hasH1Logo: true,
    working: 'resetPassword.changing',
  },
  // it stands inside the application that asked for it, under a heading of its own
  'password-reset-voluntary': {
    title: 'titles.password-reset-voluntary',
    hasH1Logo: false,
    working: 'resetPassword.changing',
  },
  'select-site': { title: 'titles.select-site', hasH1Logo: true, working: 'common.working' },
  logout: { title: 'titles.logout', hasH1Logo: true, working: 'logout.signingOut' },
  'logged-out': { title: 'titles.logged-out', hasH1Logo: true, working: undefined },
  version: { title: 'titles.version', hasH1Logo: true, working: undefined },
  error: { title: 'titles.error', hasH1Logo: true, working: undefined },
  'require-verified-login-email': {
    title: 'titles.require-verified-login-email',
    hasH1Logo: true,
    working: undefined,
  },
  'sample-destination-url': {
    title: 'titles.sample-destination-url',
    hasH1Logo: true,
    working: undefined,
  },
};
