import { both, context, signedIn, harborBoards } from './contexts.ts';
import {
  alert,
  dana,
  errorNotice,
  faultyField,
  fill,
  enterCredentials,
  infoNotice,
  press,
  submit,
  untilLoading,
} from './moves.ts';
import { statesOf } from './state.ts';
import type { Stage } from './state.ts';

const nameAlone = ({ script }: Stage): void =>
  script.answer('getSiteSettings', { allowPasswordEntry: false });

/** A site name of the maximum length. */
const longSite = 'northwind-holdings-international-audit-committee-1';

export const credentialsStates = statesOf('Credentials', 'credentials', [
  { id: 'credentials', name: 'credentials' },
  {
    id: 'credentials-empty',
    name: 'credentials, left empty',
    moves: [submit, faultyField],
  },
  {
    id: 'credentials-wrong',
    name: 'credentials, rejected',
    set: ({ script }) => script.fail('authenticate', 'invalid_credentials'),
    moves: [...enterCredentials, alert],
  },
  {
    id: 'credentials-under-way',
    name: 'credentials, loading',
    set: ({ script }) => void script.hold('authenticate'),
    moves: [...enterCredentials, untilLoading],
  },
  {
    id: 'credentials-password-shown',
    name: 'credentials, the password shown',
    moves: [fill('userName', dana), fill('password', 'Quiet-Harbor-Morning-74'), press('show-password')],
  },
  {
    id: 'credentials-no-second-factor',
    name: 'credentials, second factor not set up',
    set: ({ script }) => script.fail('authenticate', 'site_requires_mfa'),
    moves: [...enterCredentials, alert],
  },
  {
    id: 'credentials-phone-number',
    name: 'credentials, unusable phone number',
    set: ({ script }) => script.fail('authenticate', 'mfa_invalid_phone_number'),
    moves: [...enterCredentials, alert],
  },
  {
    id: 'credentials-refused-in-words',
    name: 'credentials, rejected with a message from the service',
    set: ({ script, urls }) =>
      script.fail('authenticate', 'validation_failed', {
        description: `Sign-in is closed for maintenance until <b>18:00</b>. See the <a href="${urls.application}/status">status page</a>.`,
      }),
    moves: [...enterCredentials, errorNotice],
  },
  {
    id: 'credentials-too-often',
    name: 'credentials, too many attempts',
    set: ({ script }) => script.fail('authenticate', 'rate_limit_reached', { retryAfterSeconds: 600 }),
    moves: [...enterCredentials, errorNotice],
  },
  {
    id: 'credentials-unexpected',
    name: 'credentials, an unexpected error',
    set: ({ script }) => script.fail('authenticate', 'session_migration_failure'),
    moves: [...enterCredentials, errorNotice],
  },
  {
    id: 'credentials-unreachable',
    name: 'credentials, service unreachable',
    set: ({ script }) => script.cut('authenticate'),
    moves: [...enterCredentials, errorNotice],
  },
  {
    id: 'credentials-name-alone',
    name: 'credentials, user name only',
    set: both(context({ allowPasswordEntry: false }), nameAlone),
  },
  {
    id: 'credentials-name-alone-empty',
    name: 'credentials, user name only, left empty',
    set: both(context({ allowPasswordEntry: false }), nameAlone),
    moves: [submit, faultyField],
  },
  {
    id: 'credentials-known',
    name: 'credentials of a known user',
    set: signedIn(),
  },
  {
    id: 'credentials-asked-again',
    name: 'credentials of a known user, asked again',
    set: signedIn({ reauthRequested: true }),
  },
  {
    id: 'credentials-long-name',
    name: 'credentials of a user with a long name, at a site with a long name',
    set: signedIn({
      defaultSite: longSite,
      defaultSiteDisplayName: 'Northwind Holdings Überwachungsausschuss, Abt. VII',
      defaultSiteLogoPath: undefined,
      userName: 'alexandra.konstantinopoulou-featherstonehaugh@supervisory-board.northwind-holdings.example',
      session: { state: 'valid', authSite: longSite, isExternallyAuthenticated: false },
    }),
  },
  {
    id: 'credentials-hint',
    name: 'credentials, user name filled in by a hint',
    set: context({ loginHint: dana }),
  },
  {
    id: 'credentials-expired',
    name: 'an expired session',
    set: context({ session: { state: 'expired', isExternallyAuthenticated: false } }),
    moves: [infoNotice],
  },
  {
    id: 'credentials-without-organisation',
    name: 'credentials, without the name and logo of the organisation',
    set: context({ defaultSiteDisplayName: undefined, defaultSiteLogoPath: undefined }),
  },
  {
    id: 'credentials-site-fixed',
    name: 'credentials at a fixed site',
    set: context({ allowDefaultSiteEntry: false }),
  },
  {
    id: 'credentials-without-recovery',
    name: 'credentials without password recovery',
    set: context({ loginFlowCustomizations: { signInCredentialsRecoveryDisabled: true } }),
  },
  {
    id: 'credentials-without-footer',
    name: 'credentials without languages and links',
    set: context({ loginFlowCustomizations: { languageSelectionAndLinksDisabled: true } }),
  },
  {
    id: 'credentials-flat',
    name: 'credentials in a frame of another site',
    set: context({ loginFlowCustomizations: { nestedUIEliminated: true } }),
  },
  {
    id: 'credentials-brand',
    name: 'credentials for an application with its own branding',
    set: context({ branding: harborBoards }),
  },
]);

const elevating = signedIn({ promptMethod: 'elevate' });
const otherPassword = ({ script }: Stage): void =>
  script.answer('authenticate', { status: 'password_required' });

export const confirmationStates = statesOf('Confirmation', 'elevate', [
  { id: 'elevate', name: 'elevate', set: elevating },
  {
    id: 'elevate-wrong',
    name: 'elevate, wrong password',
    set: both(elevating, ({ script }) => script.fail('authenticate', 'invalid_credentials')),
    moves: [fill('password', 'a password'), submit, alert],
  },
  {
    id: 'password-required',
    name: 'password required',
    step: 'password-required',
    set: otherPassword,
    moves: enterCredentials,
  },
  {
    id: 'password-required-empty',
    name: 'password required, left empty',
    step: 'password-required',
    set: otherPassword,
    moves: [
      ...enterCredentials,
      { do: 'wait-for', selector: 'main[data-step="password-required"]' },
      submit,
      faultyField,
    ],
  },
]);
