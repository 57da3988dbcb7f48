import type { Api, ApiSurroundings } from '../api/client.ts';
import { createPreferencesApi } from '../api/preferences-client.ts';
import type { FlowEvent } from '../flow/events.ts';
import { createTodoQueue } from './todo-queue.ts';

type Report = (event: FlowEvent) => void;

/** What the site list alone wants done outside. A part of its own: a sign-in does not carry it. */
export interface SiteListEffects {
  loadTodos: (inView: readonly string[], others: readonly string[], report: Report) => void;
  stopTodos: () => void;
  keepRecentSitesFirst: (
    recentSitesFirst: boolean,
    returnUrl: string | undefined,
    report: Report,
  ) => Promise<void>;
}

export function createSiteListEffects(api: Api, surroundings: ApiSurroundings): SiteListEffects {
  const preferences = createPreferencesApi(surroundings);
  let reportTodo: Report = () => {};
  const todos = createTodoQueue(async (site, signal) => {
    reportTodo({ type: 'TODO_LOADING', site });
    const result = await api.call('getSiteTodo', { params: { site } }, { signal });
    if (signal.aborted) return;
    reportTodo(
      result.ok ? { type: 'TODO_LOADED', site, answer: result.answer } : { type: 'TODO_FAILED', site },
    );
  });

  // one after the other, so that the last choice is the one that is kept
  let kept: Promise<void> = Promise.resolve();
  async function keep(
    recentSitesFirst: boolean,
    returnUrl: string | undefined,
    report: Report,
  ): Promise<void> {
    const result = await preferences.setPreferences({ recentSitesFirst });
    if (!result.ok)
      return report({ type: 'RECENT_SITES_FIRST_FAILED', recentSitesFirst, failure: result.failure });
    if (!recentSitesFirst) return;
    // which they are, the service says to those alone who want them
    const list = await api.call('getSites', { query: { returnUrl } });
    if (list.ok) report({ type: 'RECENT_SITES_LOADED', recentSites: list.answer.recentSites ?? [] });
  }

  return {
    loadTodos(inView, others, report) {
      reportTodo = report;
      todos.want(inView);
      todos.wantWhenIdle(others);
    },
    stopTodos: todos.stop,
    keepRecentSitesFirst(recentSitesFirst, returnUrl, report) {
      kept = kept.then(() => keep(recentSitesFirst, returnUrl, report));
      return kept;
    },
  };
}
