import type { CallAnswer } from './index.ts';

/** True for a valid session without an auth site or with the prompt to switch it, or if the service says so. */
export function isSiteSelectionDue({
  selectSite,
  session,
  promptMethod,
}: Pick<CallAnswer<'getAuthContext'>, 'selectSite' | 'promptMethod'> & {
  session: { state: string; authSite?: string | null | undefined };
}): boolean {
  return selectSite || (session.state === 'valid' && (!session.authSite || promptMethod === 'switch_site'));
}

/** The forms that the build renders into pages, `shells/<locale>-<form>.html` (decision 056). */
export const firstForms = ['site-entry', 'credentials', 'user-name'] as const;
export type FirstForm = (typeof firstForms)[number];

/**
 * The form with which a sign-in starts; undefined if it starts with another screen or a rare variant of these forms.
 * The service sends the page with this form. The page shows the form unless data that only the browser has requires
 * another screen.
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
    !context.rememberedAccounts &&
    // After a reload, the page may continue at this step.
    !context.awaitedStep &&
    !context.reauthRequested &&
    context.allowUserNameEntry &&
    !Object.values(context.loginFlowCustomizations ?? {}).includes(true);
  if (!isPlain) return undefined;
  if (context.defaultSite == null) return 'site-entry';
  return settings && (settings.allowPasswordEntry ? 'credentials' : 'user-name');
}
