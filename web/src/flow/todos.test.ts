import { expect, test } from 'vitest';
import type { FlowEvent } from './events.ts';
import type { SiteList } from './model.ts';
import { contextWith, play, validSession } from './testing.ts';

const siteList: SiteList = {
  sites: [
    {
      name: 'harbor',
      displayName: 'Harbor',
      sequence: 1,
      logoPath: undefined,
      sites: undefined,
      storedBooks: undefined,
      areEntitlementRequirementsMet: true,
      mfaRequirementMet: true,
      clientEntitlement: undefined,
      disabledForEntitlements: undefined,
      disabledForMfaRequirements: undefined,
      autofocus: undefined,
    },
  ],
  userFirstName: 'Ada',
  userLastName: 'Quill',
  boardsUserName: 'aquill',
  directorToDoItemsEnabled: true,
};

const listed: FlowEvent[] = [
  { type: 'STARTED' },
  {
    type: 'CONTEXT_LOADED',
    context: contextWith({
      clientId: 'board-app',
      selectSite: true,
      defaultSite: 'harbor',
      session: validSession,
    }),
  },
  { type: 'SITE_SETTINGS_LOADED', answer: { allowPasswordEntry: true } },
  { type: 'SITES_LOADED', siteList },
];
const wanted: FlowEvent = { type: 'TODOS_WANTED', sites: ['harbor'] };

test('to-dos are requested once a configuration with the director client arrives after the list [6.1]', () => {
  const before = play([...listed, wanted]);
  expect(before.state.page).toBe('select-site');
  expect(before.state.todos).toEqual({});
  const config = { globalSupportUrl: undefined, directorClientIds: ['board-app'] };
  const after = play(
    [
      {
        type: 'CONFIG_LOADED',
        config: { ...config, privacyPolicyBaseUrl: undefined, sampleDestination: undefined },
      },
      wanted,
    ],
    before.state,
  );
  expect(after.effects).toContainEqual({ type: 'load-todos', inView: ['harbor'], others: ['harbor'] });
});

test('to-dos are requested for the director application alone, if the service enables them, and for sites whose MFA requirement is met [4.26, 6.1]', () => {
  const [site] = siteList.sites;
  const todosFor = (clientId: string, directorToDoItemsEnabled: boolean, more = {}) => {
    const sites = site ? [site, { ...site, name: 'summit', ...more }] : [];
    const [started, context, settings] = listed as [FlowEvent, FlowEvent, FlowEvent];
    const ofClient =
      context.type === 'CONTEXT_LOADED' ? { ...context, context: { ...context.context, clientId } } : context;
    const list: FlowEvent = {
      type: 'SITES_LOADED',
      siteList: { ...siteList, sites, directorToDoItemsEnabled },
    };
    return Object.keys(play([started, ofClient, settings, list]).state.todos);
  };
  expect(todosFor('director', true)).toEqual(['harbor', 'summit']);
  expect(todosFor('director', true, { mfaRequirementMet: false })).toEqual(['harbor']);
  expect(todosFor('director', true, { areEntitlementRequirementsMet: false })).toEqual(['harbor', 'summit']);
  expect(todosFor('director', false)).toEqual([]);
  expect(todosFor('board-app', true)).toEqual([]);
});
