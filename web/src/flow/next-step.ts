import type { AuthContext, AuthStatus } from '@anteroom/contract';
import { isSiteSelectionDue } from '@anteroom/contract/first-form';
import type { Page, Step } from './model.ts';

/** A condition for a step. The first check that holds decides the step. */
interface NamedCheck {
  /** The label in the diagram of the flow; the build removes it. */
  name: string;
  holds: (context: AuthContext) => boolean;
  step: Step;
}

const check = (definition: NamedCheck): NamedCheck => definition;

/** The step after the context and the site settings have loaded (specification, point 4, in its order). */
export const afterSettings = [
  check({
    name: 'the password must be changed, and the user name is known',
    holds: ({ promptMethod, userName }) => promptMethod === 'change_password' && userName !== undefined,
    step: 'password-reset-voluntary',
  }),
  check({ name: 'the user must choose a site', holds: isSiteSelectionDue, step: 'select-site' }),
  check({
    name: 'the user must confirm the password',
    holds: ({ promptMethod, session }) =>
      promptMethod === 'elevate' && session.state === 'valid' && !session.isExternallyAuthenticated,
    step: 'elevate',
  }),
  check({ name: 'nothing else is due', holds: () => true, step: 'credentials' }),
] as const;

export function stepAfterSettings(context: AuthContext): Step {
  return afterSettings.find(({ holds }) => holds(context))?.step ?? 'credentials';
}

/** The page for each status of an answer; `steps/answers.ts` has the effects. */
export const pagesAfterStatus = {
  redirect: ['same'],
  second_factor_required: ['second-factor-required'],
  password_reset_required: ['same'],
  select_site_required: ['same'],
  password_required: ['password-required'],
  // After a site selection, the settings of the site come first.
  credentials_required: ['same', 'credentials'],
} as const satisfies Record<AuthStatus, readonly (Page | 'same')[]>;
