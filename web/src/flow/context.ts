import type { AuthContext, CallInput } from '@anteroom/contract';
import type { FlowState } from './model.ts';

/** Questions about the context that more than one step asks; each is a rule of the specification's points 4 to 6. */

export function isSessionValid(state: FlowState): boolean {
  return state.context?.session.state === 'valid';
}

/** A session that is valid and either has no auth site or comes to switch it; or the service's own flag. */
export function isSiteSelectionDue({ selectSite, session, promptMethod }: AuthContext): boolean {
  return selectSite || (session.state === 'valid' && (!session.authSite || promptMethod === 'switch_site'));
}

/** What the service says of the organisation: in the list that the site was chosen from, else with the site that was named. */
export function findOrganisation({
  siteList,
  site,
  context,
}: FlowState): { displayName?: string | undefined; logoPath?: string | undefined } | undefined {
  const chosen = siteList?.sites.flatMap((one) => one.sites ?? one).find(({ name }) => name === site);
  if (chosen || context?.defaultSite !== site) return chosen;
  return { displayName: context?.defaultSiteDisplayName, logoPath: context?.defaultSiteLogoPath };
}

/** The site settings win once they are known. */
export function allowsPasswordEntry(state: FlowState): boolean {
  return state.siteAllowsPasswordEntry ?? state.context?.allowPasswordEntry ?? true;
}

/**
 * The user name that the visitor cannot change: the context's, or one that was looked up; behind the credentials the one that was
 * entered there, which they go on with.
 */
export function knownUserName(state: FlowState): string | undefined {
  const entered = state.page === 'credentials' ? undefined : state.enteredUserName;
  return state.lookedUpUserName ?? state.context?.userName ?? entered;
}

/** What stands in the field of the user name at first: what was entered before, else the service's hint. */
export function suggestedUserName(state: FlowState): string | undefined {
  return state.enteredUserName ?? state.context?.loginHint;
}

/** A user name alone is asked for first, to see whether external authentication applies. */
export function isUserLookupDue(state: FlowState): boolean {
  return !allowsPasswordEntry(state) && state.lookedUpUserName === undefined;
}

export function isElevate(state: FlowState): boolean {
  return state.context?.promptMethod === 'elevate';
}

/** Where 'back to boards' goes. */
export function boardsAddress(context: AuthContext | undefined): string | undefined {
  return context?.cancelRedirectUri ?? context?.originalClientUri;
}

/**
 * What is sent with a password: the site only when the session is valid or default-site entry is allowed, the user name only when
 * the session is valid or user-name entry is allowed (specification, point 5).
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

/** The address that the flow returns to: the visitor's own, else the one that the context knows. */
export function returnUrl(state: FlowState): string | undefined {
  return state.returnUrl ?? state.context?.returnUrl;
}

/** The voluntary change of a password wears the external-access theme (specification, point 2). */
export function isExternalAccessTheme(state: FlowState): boolean {
  return state.page === 'password-reset-voluntary';
}

/** A context after a sign-out: what the application asked of the frame stays, the user is gone. */
export function withoutUser(context: AuthContext | undefined): AuthContext | undefined {
  const session = { state: 'none', isExternallyAuthenticated: false } as const;
  return context && { ...context, userName: undefined, mfaPhoneNumberSuffix: undefined, session };
}
