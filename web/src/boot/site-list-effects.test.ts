// @vitest-environment happy-dom
import { afterEach, expect, test, vi } from 'vitest';
import type { FlowEvent } from '../flow/events.ts';
import type { FlowState, SiteList } from '../flow/model.ts';
import type { Flow } from '../flow/store.ts';
import type { Api } from '../api/client.ts';
import { createSiteListEffects } from './site-list-effects.ts';

afterEach(() => void vi.unstubAllGlobals());

test('pins are stored one after another, and one that cannot be stored is taken back without the others', async () => {
  const stored: unknown[] = [];
  vi.stubGlobal('fetch', async (_: string, { body }: { body: string }) => {
    stored.push(JSON.parse(body));
    return new Response(null, { status: body.includes('harbor') ? 500 : 204 });
  });
  let pinnedSites: SiteList['pinnedSites'] = ['summit'];
  const failures: FlowEvent[] = [];
  const report = (event: FlowEvent): void => {
    if (event.type === 'SITE_LIST_CHANGED') ({ pinnedSites } = event.change);
    else failures.push(event);
  };
  const store = { getState: () => ({ siteList: { pinnedSites } }) as FlowState } as Flow['store'];
  const correlation = { id: 'c', nextHeaders: () => ({ 'X-Correlation-Id': 'c.1', CorrelationId: 'c' }) };
  const { keepPreference } = createSiteListEffects({} as Api, { correlation, locale: () => 'en' });

  const kept = ['harbor', 'ridge'].map((site) => keepPreference({ site, isOn: true }, { store }, report));
  await keepPreference({ site: 'summit', isOn: false }, { store }, report);
  await Promise.all(kept);
  expect(stored).toEqual([
    { site: 'harbor', isPinned: true },
    { site: 'ridge', isPinned: true },
    { site: 'summit', isPinned: false },
  ]);
  expect(pinnedSites).toEqual(['ridge']);
  expect(failures).toMatchObject([{ type: 'PREFERENCE_FAILED', failure: { status: 500 } }]);
});
