import type { AuthContext, CallInput } from '@anteroom/contract';
import type { FlowState } from './model.ts';

/** Functions that read the context, shared by several steps (specification, points 4 to 6). */

export function isSessionValid(state: FlowState): boolean {
  return state.context?.session.state === 'valid';
}

/** The organisation: from the selected entry of the site list, else from the site that the visitor entered. */
export function findOrganisation({
  siteList,
  site,
  context,
}: FlowState): { displayName?: string | undefined; logoPath?: string | undefined } | undefined {
  const chosen = siteList?.sites.flatMap((one) => one.sites ?? one).find(({ name }) => name === site);
  if (chosen || context?.defaultSite !== site) return chosen;
  return { displayName: context?.defaultSiteDisplayName, logoPath: context?.defaultSiteLogoPath };
}

/** Whether the user can enter a password. Once known, the site's setting takes precedence over the context's. */
export function allowsPasswordEntry(state: FlowState): boolean {
  return state.siteAllowsPasswordEntry ?? state.context?.allowPasswordEntry ?? true;
}

/**
 * The read-only user name: from the context or a user lookup; on the steps after the credentials, the name that was
 * entered there.
 */
export function knownUserName(state: FlowState): string | undefined {
  const entered = state.page === 'credentials' ? undefined : state.enteredUserName;
  return state.lookedUpUserName ?? state.context?.userName ?? entered;
}

/** The initial value of the user-name field: the name entered before, else the service's hint. */
export function suggestedUserName(state: FlowState): string | undefined {
  return state.enteredUserName ?? state.context?.loginHint;
}

/** Whether to request only the user name, to find out whether an external provider signs the user in. */
export function isUserLookupDue(state: FlowState): boolean {
  return !allowsPasswordEntry(state) && state.lookedUpUserName === undefined;
}

export function isElevate(state: FlowState): boolean {
  return state.context?.promptMethod === 'elevate';
}

/** The target of 'back to boards'. */
export function boardsAddress(context: AuthContext | undefined): string | undefined {
  return context?.cancelRedirectUri ?? context?.originalClientUri;
}

/**
 * The payload of a sign-in. It includes the site only if the session is valid or default-site entry is allowed, and the
 * user name only if the session is valid or user-name entry is allowed (specification, point 5).
 */
export function signInPayload(
  state: FlowState,
  entered: { userName: string | undefined; password: string },
): CallInput<'authenticate'>['body'] {
  const valid = isSessionValid(state);
  const { context } = state;
  const mayNameSite = valid || context?.allowDefaultSiteEntry;
  const mayNameUser = valid || context?.allowUserNameEntry;
  return {
    returnUrl: returnUrl(state),
    password: entered.password,
    authSite: context?.session.authSite,
    site: mayNameSite ? state.site : undefined,
    userName: mayNameUser ? (knownUserName(state) ?? entered.userName) : undefined,
  };
}

/** The return address: from the page's address, else from the context. */
export function returnUrl(state: FlowState): string | undefined {
  return state.returnUrl ?? state.context?.returnUrl;
}

/** The voluntary password change has the external-access theme (specification, point 2). */
export function isExternalAccessTheme(state: FlowState): boolean {
  return state.page === 'password-reset-voluntary';
}

/** The context after a sign-out: keeps the application's settings for the frame and removes the user. */
export function withoutUser(context: AuthContext | undefined): AuthContext | undefined {
  const session = { state: 'none', isExternallyAuthenticated: false } as const;
  return context && { ...context, userName: undefined, mfaPhoneNumberSuffix: undefined, session };
}
