import { preferenceCalls } from '@anteroom/contract/preferences';
import { createClient } from '../api/client.ts';
import type { Api, ApiEnvironment } from '../api/client.ts';
import { toSiteTodo } from '../flow/books.ts';
import { returnUrl } from '../flow/context.ts';
import type { Effect } from '../flow/effects.ts';
import type { FlowEvent } from '../flow/events.ts';
import type { FlowState, Preference, SiteList } from '../flow/model.ts';
import { selectableSites } from '../flow/steps/select-site.ts';
import type { Flow } from '../flow/store.ts';
import { createTodoQueue } from './todo-queue.ts';

type Report = (event: FlowEvent) => void;
type WantedTodos = Extract<Effect, { type: 'load-todos' }>;

/** Effects that only the site list needs; a separate chunk. */
export interface SiteListEffects {
  loadTodos: (requested: WantedTodos, flow: Pick<Flow, 'store'>, report: Report) => void;
  stopTodos: () => void;
  keepPreference: (preference: Preference, flow: Pick<Flow, 'store'>, report: Report) => Promise<void>;
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
  return {
    loadTodos({ inView, others }, { store }, report) {
      asker = { store, report };
      todos.add(inView);
      todos.addWhenIdle(others);
    },
    stopTodos: todos.stop,
    keepPreference({ site, isOn }, { store }, report) {
      const show = (isShownOn: boolean): void =>
        report({ type: 'SITE_LIST_CHANGED', change: changeOf(store.getState(), site, isShownOn) });
      show(isOn);
      saved = saved.then(async () => {
        const result =
          site === undefined
            ? await preferences.call('setPreferences', { body: { recentSitesFirst: isOn } })
            : await preferences.call('pinSite', { body: { site, isPinned: isOn } });
        if (!result.ok) {
          show(!isOn);
          return report({ type: 'PREFERENCE_FAILED', failure: result.failure });
        }
        if (site !== undefined || !isOn) return;
        // The service returns the recent sites only if the preference is on.
        const list = await api.call('getSites', { query: { returnUrl: returnUrl(store.getState()) } });
        if (list.ok)
          report({ type: 'SITE_LIST_CHANGED', change: { recentSites: list.answer.recentSites ?? [] } });
      });
      return saved;
    },
  };
}

function changeOf({ siteList }: FlowState, site: string | undefined, isOn: boolean): Partial<SiteList> {
  if (site === undefined) return { recentSitesFirst: isOn };
  const others = siteList?.pinnedSites?.filter((name) => name !== site) ?? [];
  return { pinnedSites: isOn ? [...others, site] : others };
}
