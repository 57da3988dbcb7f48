import type { CallAnswer } from './index.ts';

/** The forms that the build renders into pages, `shells/<locale>-<form>.html` (decision 056). */
export const firstForms = ['site-entry', 'credentials', 'user-name'] as const;
export type FirstForm = (typeof firstForms)[number];

/**
 * The form that a sign-in starts with; undefined for another screen, or for one of the rarer variants of these forms.
 * The service sends the page with this form, and the page shows it if nothing that only the browser knows prevents it.
 */
export function findFirstForm(
  context: CallAnswer<'getAuthContext'>,
  settings: CallAnswer<'getSiteSettings'> | undefined,
): FirstForm | undefined {
  const isPlain =
    context.session.state === 'none' &&
    context.session.authSite == null &&
    !context.promptMethod &&
    !context.finishedLocation &&
    !context.selectSite &&
    !context.userName &&
    !context.branding &&
    !context.reauthRequested &&
    context.allowUserNameEntry &&
    !Object.values(context.loginFlowCustomizations ?? {}).includes(true);
  if (!isPlain) return undefined;
  if (context.defaultSite == null) return 'site-entry';
  return settings && (settings.allowPasswordEntry ? 'credentials' : 'user-name');
}
