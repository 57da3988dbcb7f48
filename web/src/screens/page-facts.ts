import type { MessageKey } from '../i18n/keys.ts';
import type { Page } from '../flow/model.ts';

// What the frame needs to know of a page (the specification's "route data"). A page's title is the text `titles.<page>`.

/** The logo is the first heading and the step's own the second, except inside the application that asked for the page. */
export function hasH1Logo(page: Page): boolean {
  return page !== 'password-reset-voluntary';
}

/** What screen readers announce while a submission of the page is in flight. */
export const workingMessages: Readonly<Partial<Record<Page, MessageKey>>> = {
  'site-entry': 'site.checking',
  credentials: 'login.signingIn',
  elevate: 'login.signingIn',
  'password-required': 'login.signingIn',
  'second-factor-required': 'mfa.verifying',
  'password-reset-required': 'resetPassword.changing',
  'password-reset-voluntary': 'resetPassword.changing',
  'select-site': 'common.working',
  logout: 'logout.signingOut',
};
