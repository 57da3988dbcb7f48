import { preferenceCalls } from '@anteroom/contract/preferences';
import { createClient } from '../api/client.ts';
import type { Api, ApiEnvironment } from '../api/client.ts';
import { toSiteTodo } from '../flow/books.ts';
import type { Effect } from '../flow/effects.ts';
import type { FlowEvent } from '../flow/events.ts';
import { selectableSites } from '../flow/steps/select-site.ts';
import type { Flow } from '../flow/store.ts';
import { createTodoQueue } from './todo-queue.ts';

type Report = (event: FlowEvent) => void;
type WantedTodos = Extract<Effect, { type: 'load-todos' }>;

/** Effects that only the site list needs; a separate chunk. */
export interface SiteListEffects {
  loadTodos: (requested: WantedTodos, flow: Pick<Flow, 'store'>, report: Report) => void;
  stopTodos: () => void;
  keepRecentSitesFirst: (
    recentSitesFirst: boolean,
    returnUrl: string | undefined,
    report: Report,
  ) => Promise<void>;
}

export function createSiteListEffects(
  api: Api,
  { correlation, locale, baseAddress }: ApiEnvironment,
): SiteListEffects {
  const preferences = createClient(preferenceCalls, { correlation, locale, baseAddress });
  let asker: { store: Flow['store']; report: Report } | undefined;
  const todos = createTodoQueue(async (site, signal) => {
    if (!asker) return;
    const { store, report } = asker;
    report({ type: 'TODO_LOADING', site });
    const result = await api.call('getSiteTodo', { params: { site } }, { signal });
    if (signal.aborted) return;
    if (!result.ok) return report({ type: 'TODO_FAILED', site });
    const listed = selectableSites(store.getState()).find(({ name }) => name === site);
    report({ type: 'TODO_LOADED', site, todo: toSiteTodo(result.answer, listed?.storedBooks ?? []) });
  });

  // The calls run one after another, so that the last choice is stored last.
  let saved: Promise<void> = Promise.resolve();
  async function keep(
    recentSitesFirst: boolean,
    returnUrl: string | undefined,
    report: Report,
  ): Promise<void> {
    const result = await preferences.call('setPreferences', { body: { recentSitesFirst } });
    if (!result.ok)
      return report({ type: 'RECENT_SITES_FIRST_FAILED', recentSitesFirst, failure: result.failure });
    if (!recentSitesFirst) return;
    // The service returns the recent sites only if the preference is on.
    const list = await api.call('getSites', { query: { returnUrl } });
    if (list.ok) report({ type: 'RECENT_SITES_LOADED', recentSites: list.answer.recentSites ?? [] });
  }

  return {
    loadTodos({ inView, others }, { store }, report) {
      asker = { store, report };
      todos.add(inView);
      todos.addWhenIdle(others);
    },
    stopTodos: todos.stop,
    keepRecentSitesFirst(recentSitesFirst, returnUrl, report) {
      saved = saved.then(() => keep(recentSitesFirst, returnUrl, report));
      return saved;
    },
  };
}
