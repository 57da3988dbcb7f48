/** Pages of the front end that the service leads to, and the link of a mail, as paths of its own origin. */
export const paths = {
  signIn: '/ui/account/login',
  passkey: '/ui/account/passkey',
  account: '/ui/account',
  forgottenPassword: '/ui/recovery/forgotten-password',
  newPassword: '/ui/recovery/new-password',
  notMe: '/ui/recovery/not-me',
  forgottenSite: '/ui/recovery/forgotten-site',
  error: '/ui/home/error',
  openSite: '/recovery/open-site',
} as const;

/**
 * The address of a page. It is made from the configured address and never from what a request says of its host (attacks and
 * faults, S05).
 */
export function pageAddress(
  publicUrl: string,
  page: keyof typeof paths,
  query: Readonly<Record<string, string | undefined>> = {},
): string {
  const url = new URL(paths[page], publicUrl);
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined) url.searchParams.set(name, value);
  }
  return url.href;
}
