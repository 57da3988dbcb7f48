import type { Site } from '@anteroom/contract';
import type { Failure } from '../events.ts';
import type { FlowState, SiteList, SiteTodo } from '../model.ts';
import {
  failWithoutForm,
  notify,
  onAction,
  row,
  showError,
  stay,
  submitting,
  withError,
} from '../transition.ts';
import type { Transition } from '../transition.ts';
import { genericFailureTold } from './credentials.ts';
import { callFailed, restartLogin } from './initialisation.ts';

/** Sites and child sites, in one list. */
export function selectableSites(state: FlowState): readonly Site[] {
  return state.siteList?.sites.flatMap((site) => (site.sites?.length ? site.sites : [site])) ?? [];
}

export function isDisabledForEntitlements(site: Site): boolean {
  return site.disabledForEntitlements ?? !site.areEntitlementRequirementsMet;
}

export function isDisabledForMfaRequirements(site: Site): boolean {
  return site.disabledForMfaRequirements ?? !site.mfaRequirementMet;
}

/** To-dos are for the director application, where the service says that the feature is enabled (specification, point 6). */
export function showsTodos(state: FlowState): boolean {
  return mayShowTodos(state) && state.siteList !== undefined;
}

/** The same, before the list with the service's word has come. */
export function mayShowTodos(state: FlowState): boolean {
  const directorClientIds = state.config?.directorClientIds ?? ['director'];
  const isDirector = directorClientIds.includes(state.context?.clientId ?? '');
  return isDirector && (state.siteList?.directorToDoItemsEnabled ?? true);
}

/** The sites whose to-dos are asked for: only those whose MFA requirement is met. */
function sitesWithTodos(state: FlowState): string[] {
  return selectableSites(state)
    .filter((site) => site.mfaRequirementMet)
    .map((site) => site.name);
}

/** Every site starts at Initial, where to-dos are shown at all. */
function withDueTodos(state: FlowState): FlowState {
  if (!showsTodos(state) || Object.keys(state.todos).length > 0) return state;
  const due = sitesWithTodos(state).map((site): [string, SiteTodo] => [site, { toDosApiStatus: 'Initial' }]);
  return { ...state, todos: Object.fromEntries(due) };
}

/** The sites whose to-dos have come so far and no further. */
function sitesAt({ todos }: FlowState, stages: readonly SiteTodo['toDosApiStatus'][]): string[] {
  return Object.entries(todos).flatMap(([site, { toDosApiStatus }]) =>
    stages.includes(toDosApiStatus) ? [site] : [],
  );
}

function selectionFailed(state: FlowState, failure: Failure): Transition {
  if (failure.kind !== 'handled') return failWithoutForm({ ...state, loading: false }, failure, restartLogin);
  if (failure.code === 'session_migration_failure')
    return stay(
      withError(
        notify(state, { level: 'error', messageKey: 'error.unexpectedErrorOccurred' }),
        'SessionMigrationFailure',
      ),
    );
  if (failure.code === 'site_requires_mfa') return stay(withError(state, 'SiteRequiresMfa', failure));
  return stay(withError(genericFailureTold(state, failure), 'GenericError', failure));
}

function withSiteList(state: FlowState, more: Partial<SiteList>): FlowState {
  return state.siteList ? { ...state, siteList: { ...state.siteList, ...more } } : state;
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
      // taken now: a choice makes its site the session's before the browser leaves
      const currentSite = state.context?.session.authSite;
      const listed: FlowState = { ...state, siteList: { ...siteList, currentSite }, todos: {} };
      // the to-dos are requested once the list reports what is in view
      return siteList.sites.length === 0 ? showError(listed) : stay(withDueTodos(listed));
    },
  }),
  row({
    on: 'TODOS_WANTED',
    from: ['select-site'],
    to: ['same'],
    act: (before, { sites }) => {
      // a configuration that names the application can come after the list
      const state = withDueTodos(before);
      const others = sitesAt(state, ['Initial']);
      if (state.loading || others.length === 0) return stay(state);
      const inView = sites.filter((site) => state.todos[site]?.toDosApiStatus === 'Initial');
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
    on: 'RECENT_SITES_FIRST_CHOSEN',
    from: ['select-site'],
    to: ['same'],
    act: (state, { recentSitesFirst }) =>
      stay(withSiteList(onAction(state), { recentSitesFirst }), {
        type: 'keep-recent-sites-first',
        recentSitesFirst,
      }),
  }),
  row({
    on: 'RECENT_SITES_LOADED',
    from: ['select-site'],
    to: ['same'],
    act: (state, { recentSites }) => stay(withSiteList(state, { recentSites: [...recentSites] })),
  }),
  row({
    on: 'RECENT_SITES_FIRST_FAILED',
    from: ['select-site'],
    to: ['same', 'error'],
    act: (state, { recentSitesFirst, failure }) => {
      if (failure.kind === 'unauthorised') return callFailed(state, failure);
      const told = notify(state, { level: 'error', messageKey: 'selectSite.recent.notSaved' });
      // a choice that was changed since is another one, with a failure of its own
      const isStillShown = state.siteList?.recentSitesFirst === recentSitesFirst;
      return stay(isStillShown ? withSiteList(told, { recentSitesFirst: !recentSitesFirst }) : told);
    },
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
      // a browser has six connections to an older server: entering must not wait for six slow to-dos
      return stay(
        { ...submitting(state), site: name },
        { type: 'stop-todos' },
        { type: 'select-site', site: name },
      );
    },
  }),
  row({
    on: 'AUTH_FAILED',
    from: ['select-site'],
    to: ['same', 'error'],
    act: (state, { failure }) => {
      const { state: after, effects } = selectionFailed(state, failure);
      const stays = after.page === 'select-site' && after.run === state.run;
      if (!stays) return { state: after, effects };
      // what was interrupted when the site was chosen
      const others = sitesAt(after, ['Initial', 'Loading']);
      return stay(after, ...effects, { type: 'load-todos', inView: [], others });
    },
  }),
  row({
    on: 'SIGN_OUT',
    // the error page offers it to a user without boards
    from: ['select-site', 'error'],
    to: ['same'],
    // no confirmation here; where it leads afterwards is asked for before the session is gone
    act: (state) =>
      state.loading
        ? stay(state)
        : stay(submitting(state), { type: 'stop-todos' }, { type: 'load-logout-context', isOptional: true }),
  }),
];
