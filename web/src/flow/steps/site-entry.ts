import type { ParsedAnswer } from '@anteroom/contract';
import type { FlowState } from '../model.ts';
import {
  failWithoutForm,
  goTo,
  onAction,
  row,
  stay,
  submitting,
  leavingStep,
  withError,
} from '../transition.ts';
import { proceedWithSite, restartLogin } from './initialisation.ts';

/**
 * Reduces a pasted address to its host, because some proxies reject encoded slashes and an address can exceed the
 * length of a site name.
 */
export function readSite(entered: string): string {
  return entered.trim().replace(/^https?:\/\/([^/?#]+).*/is, '$1');
}

export const siteEntryRows = [
  row({
    on: 'SITE_ENTERED',
    from: ['site-entry'],
    to: ['same'],
    act: (state, { site: entered }) => {
      const site = readSite(entered);
      if (state.loading) return stay(state);
      // A path segment `.` or `..` would resolve to the address of another call.
      if (/^\.\.?$/.test(site)) return stay(withError(onAction(state), 'NotFound'));
      return stay(submitting(state), { type: 'find-site', site });
    },
  }),
  row({
    on: 'SITE_CHECKED',
    from: ['site-entry'],
    to: ['same', 'credentials', 'select-site', 'elevate'],
    act: (state, { site, answer }) => {
      if (!answer.siteExists) return stay(withError(state, 'NotFound'));
      const name = answer.name ?? site;
      const entered = proceedWithSite(withSite(state, name, answer));
      return { ...entered, effects: [{ type: 'remember-site', site: name }, ...entered.effects] };
    },
  }),
  row({
    on: 'SITE_CHECK_FAILED',
    from: ['site-entry'],
    to: ['same', 'error'],
    act: (state, { failure }) =>
      // A 503 also leads to the error page here (wire contract, "Site entry, other failures").
      failure.kind === 'handled' && failure.status !== 503
        ? stay(withError(state, 'GenericError', failure))
        : failWithoutForm(state, failure, restartLogin),
  }),
  row({
    on: 'BACK_TO_SITE',
    from: ['credentials', 'password-required', 'second-factor-required'],
    to: ['site-entry'],
    act: (state) =>
      goTo(
        { ...leavingStep(state), siteAllowsPasswordEntry: undefined, lookedUpUserName: undefined },
        'site-entry',
      ),
  }),
];

/** The entered site becomes the default site and the session resets to none (specification, point 4). */
function withSite(
  state: FlowState,
  site: string,
  { displayName, logoPath, forgotPasswordUrl, identityServiceUrl }: ParsedAnswer<'getSiteExistence'>,
): FlowState {
  const { context } = state;
  return {
    ...state,
    site,
    rememberedSite: site,
    baseAddress: identityServiceUrl ?? state.baseAddress,
    siteAllowsPasswordEntry: undefined,
    lookedUpUserName: undefined,
    context: context && {
      ...context,
      defaultSite: site,
      defaultSiteDisplayName: displayName,
      defaultSiteLogoPath: logoPath,
      selectSite: false,
      forgotPasswordUrl: forgotPasswordUrl ?? context.forgotPasswordUrl,
      session: { state: 'none', authSite: undefined, isExternallyAuthenticated: false },
    },
  };
}
