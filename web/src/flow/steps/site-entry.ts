import type { AuthContext, ParsedAnswer } from '@anteroom/contract';
import { call } from '../effects.ts';
import type { Effect } from '../effects.ts';
import type { FlowState, Step } from '../model.ts';
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
import { formFailed } from './form-failure.ts';
import { enterContext, proceedWithSite, restartLogin } from './initialisation.ts';

/** The host of a URL; or an e-mail address, also as `mailto:eva@corp.example` or `Eva Holm <eva@corp.example>`, and its domain. */
const pasted = /^(?:https?:\/\/|.*?([^\s<:/]+@))([^\s<>/?#,;]+)/is;

/**
 * Reduces a pasted URL to its host, because some proxies reject encoded slashes and a URL can exceed the length of a
 * site name; and an e-mail address to its domain, which can belong to a company.
 */
export function readSite(entered: string): { site: string; email: string | undefined } {
  const [, mailbox, site = entered] = pasted.exec(entered) ?? [];
  return { site, email: mailbox && mailbox + site };
}

const findSite = (site: string, email: string | undefined, userName: string | undefined): Effect =>
  call(
    'getSiteExistence',
    { params: { name: site } },
    (answer) => ({ type: 'SITE_CHECKED', site, answer, email, userName }),
    { failed: (failure) => ({ type: 'SITE_CHECK_FAILED', failure }) },
  );

/** The steps at which the visitor names the site, by typing it or by choosing an account. */
const entrySteps: readonly Step[] = ['site-entry', 'choose-account'];

export const siteEntryRows = [
  row({
    on: 'SITE_ENTERED',
    from: entrySteps,
    to: ['same'],
    act: (state, { site: entered, userName }) => {
      const { site, email } = readSite(entered);
      if (state.loading) return stay(state);
      // A path segment `.` or `..` would resolve to the address of another call.
      if (/^\.\.?$/.test(site)) return stay(withError(onAction(state), 'NotFound'));
      // An e-mail address is also the user name at the site that is found.
      const enteredUserName = userName ?? email ?? state.enteredUserName;
      return stay({ ...submitting(state), enteredUserName }, findSite(site, email, userName));
    },
  }),
  row({
    on: 'SITE_CHECKED',
    from: entrySteps,
    to: ['same', 'credentials', 'select-site', 'elevate'],
    act: (state, { site, answer, email, userName }) => {
      if (!answer.siteExists)
        return email === undefined
          ? stay(withError(state, 'NotFound'))
          : stay(state, { type: 'leave-with-email', email });
      const name = answer.name ?? site;
      const entered = proceedWithSite({ ...withSite(state, name, answer), lookedUpUserName: userName });
      return { ...entered, effects: [{ type: 'remember-site', site: name }, ...entered.effects] };
    },
  }),
  row({
    on: 'SITE_CHECK_FAILED',
    from: entrySteps,
    to: ['same', 'error'],
    act: (state, { failure }) =>
      // A 503 also leads to the error page here (wire contract, "Site entry, other failures").
      failure.status === 503 ? failWithoutForm(state, failure, restartLogin) : formFailed(state, failure, {}),
  }),
  row({
    on: 'BACK_TO_SITE',
    from: ['credentials', 'password-required', 'second-factor-required'],
    to: ['site-entry', 'choose-account'],
    act: (state) =>
      goTo(
        { ...leavingStep(state), siteAllowsPasswordEntry: undefined, lookedUpUserName: undefined },
        // the visitor has chosen an account, and so named user and site
        state.context?.rememberedAccounts?.some(({ userName }) => userName === state.lookedUpUserName)
          ? 'choose-account'
          : 'site-entry',
      ),
  }),
  row({
    on: 'OTHER_ACCOUNT',
    from: ['choose-account'],
    to: ['same', 'site-entry', 'credentials', 'select-site', 'elevate'],
    act: (state) => {
      const { context } = state;
      if (!context) return stay(state);
      const defaultSite = context.allowDefaultSiteEntry ? undefined : context.defaultSite;
      return enterContext({ ...onAction(state), enteredUserName: undefined }, { ...context, defaultSite });
    },
  }),
  row({
    on: 'BACK',
    from: ['site-entry'],
    to: ['choose-account'],
    act: (state) => goTo(leavingStep(state), 'choose-account'),
  }),
];

/** What the context says about its site. If a member were missing here, the page would show that of the site before. */
type DefaultSite = { [Name in Extract<keyof AuthContext, `defaultSite${string}`>]: AuthContext[Name] };

/** The entered site becomes the default site and the session resets to none (specification, point 4). */
function withSite(
  state: FlowState,
  site: string,
  {
    displayName,
    logoPath,
    forgotPasswordUrl,
    identityServiceUrl,
    allowPasswordEntry,
  }: ParsedAnswer<'getSiteExistence'>,
): FlowState {
  const { context } = state;
  return {
    ...state,
    site,
    rememberedSite: site,
    baseAddress: identityServiceUrl ?? state.baseAddress,
    siteAllowsPasswordEntry: allowPasswordEntry,
    context: context && {
      ...context,
      ...({
        defaultSite: site,
        defaultSiteDisplayName: displayName,
        defaultSiteLogoPath: logoPath,
      } satisfies DefaultSite),
      selectSite: false,
      forgotPasswordUrl: forgotPasswordUrl ?? context.forgotPasswordUrl,
      session: { state: 'none', authSite: undefined, isExternallyAuthenticated: false },
    },
  };
}
