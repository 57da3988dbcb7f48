import type { AuthContext, AuthStatus } from '@anteroom/contract';
import { isSiteSelectionDue } from './context.ts';
import type { Page, Step } from './model.ts';

/** One reason to stand on a step; the first that holds decides. */
interface NamedCheck {
  /** For the picture of the flow: the build leaves it out. */
  name: string;
  holds: (context: AuthContext) => boolean;
  step: Step;
}

const check = (definition: NamedCheck): NamedCheck => definition;

/** What follows once the context and the site's settings are known (specification, point 4, in its order). */
export const afterSettings = [
  check({
    name: 'the password is to be changed, and whose is known',
    holds: ({ promptMethod, userName }) => promptMethod === 'change_password' && userName !== undefined,
    step: 'password-reset-voluntary',
  }),
  check({ name: 'a site is to be chosen', holds: isSiteSelectionDue, step: 'select-site' }),
  check({
    name: 'the person is to confirm who they are',
    holds: ({ promptMethod, session }) =>
      promptMethod === 'elevate' && session.state === 'valid' && !session.isExternallyAuthenticated,
    step: 'elevate',
  }),
  check({ name: 'nothing else is due', holds: () => true, step: 'credentials' }),
] as const;

export function stepAfterSettings(context: AuthContext): Step {
  return afterSettings.find(({ holds }) => holds(context))?.step ?? 'credentials';
}

/** Where each status of an answer leads; `steps/answers.ts` does what each needs on the way. */
export const pagesAfterStatus = {
  redirect: ['same'],
  second_factor_required: ['second-factor-required'],
  password_reset_required: ['same'],
  select_site_required: ['same'],
  password_required: ['password-required'],
  // after the choice of a site its settings come first
  credentials_required: ['same', 'credentials'],
} as const satisfies Record<AuthStatus, readonly (Page | 'same')[]>;
