/**
 * The paths of the front end's pages below `/ui/` (specification, point 2, "Routes"). Any other path that is not a file shows the error
 * page.
 */
export const pageRoutes = [
  '',
  'account',
  'account/login',
  'account/logout',
  'account/logged-out',
  'account/passkey',
  'login-wizard/site-entry',
  'login-wizard/credentials',
  'login-wizard/elevate',
  'login-wizard/password-required',
  'login-wizard/second-factor-required',
  'login-wizard/password-reset-required',
  'login-wizard/password-reset-voluntary',
  'login-wizard/select-site',
  'home/version',
  'home/error',
  'home/require-verified-login-email',
  'home/require_verified_email',
  'home/cancel-redirect-uri',
  'home/sample-destination-url',
  'recovery/forgotten-password',
  'recovery/new-password',
  'recovery/not-me',
  'recovery/forgotten-site',
] as const;

export type PageRoute = (typeof pageRoutes)[number];
