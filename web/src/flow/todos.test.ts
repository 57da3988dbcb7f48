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

test('to-dos are requested once a configuration with the director client arrives after the list', () => {
  const before = play([...listed, wanted]);
  expect(before.state).toMatchObject({ page: 'select-site', todos: {} });
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
