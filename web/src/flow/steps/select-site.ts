import type { Site } from '@anteroom/contract';
import { loadReturnAddress } from '../calls.ts';
import { returnUrl } from '../context.ts';
import { signInCall } from '../effects.ts';
import type { FlowState, SiteTodo } from '../model.ts';
import { notify, onAction, row, showError, stay, submitting } from '../transition.ts';
import { formFailed } from './form-failure.ts';
import { callFailed } from './initialisation.ts';

/** The sites that can be selected, in one list: child sites replace their parent. */
export function selectableSites(state: FlowState): readonly Site[] {
  return state.siteList?.sites.flatMap((site) => (site.sites?.length ? site.sites : [site])) ?? [];
}

export function isDisabledForEntitlements(site: Site): boolean {
  return site.disabledForEntitlements ?? !site.areEntitlementRequirementsMet;
}

export function isDisabledForMfaRequirements(site: Site): boolean {
  return site.disabledForMfaRequirements ?? !site.mfaRequirementMet;
}

/**
 * Whether to-dos are shown: only for the director application, and if the service enables them (specification, point
 * 6).
 */
export function showsTodos(state: FlowState): boolean {
  return mayShowTodos(state) && state.siteList !== undefined;
}

/** Whether to-dos will be shown once the site list has loaded. */
export function mayShowTodos(state: FlowState): boolean {
  const directorClientIds = state.config?.directorClientIds ?? ['director'];
  const isDirector = directorClientIds.includes(state.context?.clientId ?? '');
  return isDirector && (state.siteList?.directorToDoItemsEnabled ?? true);
}

/** The sites whose to-dos are requested: sites that meet the MFA requirement. */
function sitesWithTodos(state: FlowState): string[] {
  return selectableSites(state)
    .filter((site) => site.mfaRequirementMet)
    .map((site) => site.name);
}

/** Sets every site to Initial if to-dos are shown. */
function withDueTodos(state: FlowState): FlowState {
  if (!showsTodos(state) || Object.keys(state.todos).length > 0) return state;
  const due = sitesWithTodos(state).map((site): [string, SiteTodo] => [site, { toDosApiStatus: 'Initial' }]);
  return { ...state, todos: Object.fromEntries(due) };
}

/** The sites whose to-dos are in one of the given stages. */
function sitesAt({ todos }: FlowState, stages: readonly SiteTodo['toDosApiStatus'][]): string[] {
  return Object.entries(todos).flatMap(([site, { toDosApiStatus }]) =>
    stages.includes(toDosApiStatus) ? [site] : [],
  );
}

function withTodo(state: FlowState, site: string, todo: SiteTodo): FlowState {
  return { ...state, todos: { ...state.todos, [site]: todo } };
}

export const selectSiteRows = [
  row({
    on: 'SITES_LOADED',
    from: ['select-site'],
    to: ['same', 'error'],
    act: (state, { siteList }) => {
      // The current site is read now, because a selection changes the session's site before the browser navigates.
      const currentSite = state.context?.session.authSite;
      const listed: FlowState = { ...state, siteList: { ...siteList, currentSite }, todos: {} };
      // The list requests to-dos when it reports which sites are in view.
      return siteList.sites.length === 0
        ? showError(listed, { reason: 'noBoards' })
        : stay(withDueTodos(listed));
    },
  }),
  row({
    on: 'TODOS_WANTED',
    from: ['select-site'],
    to: ['same'],
    act: (before, { sites, again }) => {
      // The configuration with the client id can arrive after the list.
      const state = withDueTodos(before);
      const others = sitesAt(state, [again ? 'Error' : 'Initial']);
      if (state.loading || others.length === 0) return stay(state);
      const inView = sites.filter((site) => others.includes(site));
      return stay(state, { type: 'load-todos', inView, others });
    },
  }),
  row({
    on: 'TODO_LOADING',
    from: ['select-site'],
    to: ['same'],
    act: (state, { site }) => stay(withTodo(state, site, { toDosApiStatus: 'Loading' })),
  }),
  row({
    on: 'TODO_LOADED',
    from: ['select-site'],
    to: ['same'],
    act: (state, { site, todo }) => stay(withTodo(state, site, todo)),
  }),
  row({
    on: 'TODO_FAILED',
    from: ['select-site'],
    to: ['same'],
    act: (state, { site }) => stay(withTodo(state, site, { toDosApiStatus: 'Error' })),
  }),
  row({
    on: 'PREFERENCE_CHOSEN',
    from: ['select-site'],
    to: ['same'],
    act: (state, { preference }) =>
      stay({ ...onAction(state), error: undefined }, { type: 'keep-preference', preference }),
  }),
  row({
    on: 'SITE_LIST_CHANGED',
    from: ['select-site'],
    to: ['same'],
    act: (state, { change }) =>
      stay(state.siteList ? { ...state, siteList: { ...state.siteList, ...change } } : state),
  }),
  row({
    on: 'PREFERENCE_FAILED',
    from: ['select-site'],
    to: ['same', 'error'],
    act: (state, { failure }) =>
      failure.kind === 'unauthorised'
        ? callFailed(state, failure)
        : stay(notify(state, { level: 'error', messageKey: 'selectSite.recent.notSaved' })),
  }),
  row({
    on: 'TODO_CLICKED',
    from: ['select-site'],
    to: ['same'],
    act: (state, { todoType, site, count }) =>
      stay(state, {
        type: 'report',
        metric: { name: 'todo-click', value: count, data: { type: todoType, site } },
      }),
  }),
  row({
    on: 'SELECT_SITE',
    from: ['select-site'],
    to: ['same'],
    act: (state, { site: name }) => {
      const site = selectableSites(state).find((one) => one.name === name);
      const selectable = site && !isDisabledForEntitlements(site) && !isDisabledForMfaRequirements(site);
      if (state.loading || !selectable) return stay(state);
      // Browsers open six connections to an HTTP/1.1 server: selecting a site must not wait for six slow to-do calls.
      return stay(
        { ...submitting(state), site: name },
        { type: 'stop-todos' },
        signInCall('selectSite', { body: { site: name, returnUrl: returnUrl(state) } }),
      );
    },
  }),
  row({
    on: 'AUTH_FAILED',
    from: ['select-site'],
    to: ['same', 'error'],
    act: (state, { failure }) => {
      const { state: after, effects } = formFailed(state, failure, { site_requires_mfa: 'SiteRequiresMfa' });
      const stays = after.page === 'select-site' && after.run === state.run;
      if (!stays) return { state: after, effects };
      // Resumes what the selection of a site interrupted.
      const others = sitesAt(after, ['Initial', 'Loading']);
      return stay(after, ...effects, { type: 'load-todos', inView: [], others });
    },
  }),
  row({
    on: 'SIGN_OUT',
    // The error page offers a sign-out to a user without boards.
    from: ['select-site', 'error'],
    to: ['same'],
    // Signs out without a confirmation. Requests the return address first, while the session still exists.
    act: (state) =>
      state.loading ? stay(state) : stay(submitting(state), { type: 'stop-todos' }, loadReturnAddress()),
  }),
];
