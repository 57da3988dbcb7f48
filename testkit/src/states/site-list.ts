import type { CallAnswer } from '@anteroom/contract';
import { siteNamed } from '../scripted/opening-scene.ts';
import { choosing } from './contexts.ts';
import { fill, step, untilLoading, waitFor } from './moves.ts';
import { statesOf } from './state.ts';
import type { Move, Stage } from './state.ts';

type SiteList = CallAnswer<'getSites'>;

const northwind = siteNamed('northwind', 'Northwind Holdings');

/** A group with children, a site with a label and to-dos, and two sites that cannot be entered. */
const family: SiteList = {
  sites: [
    {
      ...northwind,
      sites: [
        { ...northwind, clientEntitlement: 'Director' },
        {
          ...siteNamed('northwind-audit', 'Northwind Audit Committee'),
          sequence: 1,
          clientEntitlement: 'Chair',
        },
      ],
    },
    { ...siteNamed('harbor', 'Harbor Trust'), clientEntitlement: 'Company secretary' },
    { ...siteNamed('summit', 'Summit Foundation'), mfaRequirementMet: false },
    { ...siteNamed('ridge', 'Ridge Partners'), areEntitlementRequirementsMet: false },
  ],
  userFirstName: 'Dana',
  userLastName: 'Whitfield',
  boardsUserName: 'dwhitfield',
  directorToDoItemsEnabled: true,
};

/** Names of maximum length. */
const longNames = [
  'Northwind Holdings International Audit Committee AG',
  'Donaudampfschifffahrtselektrizitätenhauptbetriebs',
  'Aufsichtsratsvorsitzendenstellvertreterausschuss 1',
];

/** More sites than fit on the screen, so that the list has a search and can show recent sites first. */
const manySites: SiteList['sites'] = [
  ...family.sites,
  ...['Amber', 'Birch', 'Caldera', 'Delta', 'Elm', 'Fjord', 'Glacier', 'Heron', 'Iris', 'Juniper'].map(
    (name) => siteNamed(name.toLowerCase(), `${name} Foundation`),
  ),
];

type Todo = CallAnswer<'getSiteTodo'>;
const nothing: Todo = {
  pendingVoteCount: 0,
  openQuestionnairesCount: 0,
  directorHomePageEnabled: true,
  minutesCount: 0,
  actionItemsCount: 0,
};
const book = { bookId: 'june', tabVersions: [], documentVersions: [] };

/** The to-dos of the first sites; one vote at each other site. */
const todos: Readonly<Record<string, Todo>> = {
  northwind: { ...nothing, pendingVoteCount: 2, minutesCount: 1, books: [{ ...book, state: 'new' }] },
  'northwind-audit': { ...nothing, openQuestionnairesCount: 3, actionItemsCount: 12 },
  harbor: nothing,
  ridge: { ...nothing, pendingVoteCount: 1, actionItemsCount: 4 },
};

const withSites =
  (more: Partial<SiteList> = {}, after: (stage: Stage) => void = () => {}) =>
  (stage: Stage): void => {
    choosing()(stage);
    stage.script.answer('getSites', { ...family, ...more });
    stage.script.answer(
      'getSiteTodo',
      ({ params }) => todos[params.site] ?? { ...nothing, pendingVoteCount: 1 },
    );
    after(stage);
  };

const todosShown: Move = waitFor('[data-todo="vote"]');

export const siteListStates = statesOf('Site list', 'select-site', [
  { id: 'site-list', name: 'select a board', set: withSites(), moves: [todosShown] },
  {
    id: 'site-list-under-way',
    name: 'select a board, list loading',
    set: withSites({}, ({ script }) => void script.hold('getSites')),
    moves: [step('select-site')],
  },
  {
    id: 'site-list-todos-under-way',
    name: 'select a board, to-dos loading',
    set: withSites({}, ({ script }) => void script.hold('getSiteTodo')),
    moves: [waitFor('[data-site] [data-skeleton]')],
  },
  {
    id: 'site-list-todos-failed',
    name: 'select a board, to-dos unavailable',
    set: withSites({}, ({ script }) => script.fail('getSiteTodo', 'internal_error')),
    moves: [waitFor('[data-site="harbor"]'), { do: 'wait-until-gone', selector: '[data-skeleton]' }],
  },
  {
    id: 'site-list-much-to-do',
    name: 'select a board, many to-dos',
    set: withSites({}, ({ script }) =>
      script.answer('getSiteTodo', {
        pendingVoteCount: 128,
        openQuestionnairesCount: 21,
        directorHomePageEnabled: true,
        minutesCount: 21,
        actionItemsCount: 20,
        books: [{ ...book, state: 'updated' }],
      }),
    ),
    moves: [todosShown],
  },
  {
    id: 'site-list-nothing-awaits',
    name: 'select a board, nothing awaits',
    set: withSites({}, ({ script }) => script.answer('getSiteTodo', nothing)),
    moves: [{ do: 'wait-until-gone', selector: '[data-skeleton]' }, waitFor('output:not(:empty)')],
  },
  {
    id: 'site-list-without-todos',
    name: 'select a board, without to-dos',
    set: withSites({ directorToDoItemsEnabled: false }),
    moves: [waitFor('[data-site="harbor"]')],
  },
  {
    id: 'site-list-one',
    name: 'select a board, one site, badge pressed',
    set: withSites({ sites: [siteNamed('summit', 'Summit Foundation')] }),
    moves: [todosShown, { do: 'click', on: '[data-todo="vote"]' }],
  },
  {
    id: 'site-list-many',
    name: 'select a board, three hundred sites',
    set: withSites({
      sites: Array.from({ length: 300 }, (_, index) =>
        siteNamed(`board-${index}`, `Board ${String(index + 1).padStart(3, '0')}`),
      ),
      directorToDoItemsEnabled: false,
    }),
    moves: [waitFor('[data-site="board-0"]')],
  },
  {
    id: 'site-list-recent',
    name: 'select a board, recent sites first',
    set: withSites({
      sites: manySites,
      recentSitesFirst: true,
      recentSites: ['harbor', 'northwind-audit'],
    }),
    moves: [waitFor('[data-recent] [data-site="harbor"]'), todosShown],
  },
  {
    id: 'site-list-pinned',
    name: 'select a board, pinned and recent sites first',
    set: withSites({
      sites: manySites,
      recentSitesFirst: true,
      recentSites: ['harbor', 'elm'],
      pinnedSites: ['summit', 'harbor', 'northwind-audit'],
    }),
    moves: [waitFor('[data-pinned] [data-site="harbor"]'), todosShown],
  },
  {
    id: 'site-list-search',
    name: 'select a board, search with results',
    set: withSites({ sites: manySites, recentSitesFirst: false }),
    moves: [fill('search', 'north'), { do: 'wait-until-gone', selector: '[data-site="harbor"]' }, todosShown],
  },
  {
    id: 'site-list-nothing-found',
    name: 'select a board, search without results',
    set: withSites({ sites: manySites }),
    moves: [fill('search', 'nowhere'), { do: 'wait-until-gone', selector: '[data-site]' }],
  },
  {
    id: 'site-list-long-names',
    name: 'select a board, long names',
    set: withSites({
      sites: longNames.map((name, index) => ({
        ...siteNamed(`long-${index}`, name),
        clientEntitlement: 'Aufsichtsratsmitglied',
        mfaRequirementMet: index !== 2,
      })),
      userFirstName: 'Alexandra-Konstantina',
      userLastName: 'Featherstonehaugh-Papadimitriou',
    }),
    moves: [todosShown],
  },
  {
    id: 'site-list-none-open',
    name: 'select a board, no accessible site',
    set: withSites({
      sites: [
        { ...siteNamed('summit', 'Summit Foundation'), mfaRequirementMet: false },
        { ...siteNamed('ridge', 'Ridge Partners'), areEntitlementRequirementsMet: false },
      ],
    }),
    moves: [waitFor('[data-site="summit"]')],
  },
  {
    id: 'site-list-remedies',
    name: 'select a board, what the user can do about a missing second factor',
    set: withSites({
      sites: ['add-totp', 'add-sms', 'add-passkey', 'add-factor', 'sign-in-at-company', undefined].map(
        (mfaRemedy, index) => ({
          ...siteNamed(`summit-${index}`, `Summit Foundation ${index + 1}`),
          mfaRequirementMet: false,
          mfaRemedy,
        }),
      ),
    }),
    moves: [waitFor('[data-action="set-up-second-factor"]')],
  },
  {
    id: 'site-list-switching',
    name: 'select a board, switching sites',
    set: (stage: Stage) => {
      withSites()(stage);
      choosing({
        promptMethod: 'switch_site',
        session: { state: 'valid', isExternallyAuthenticated: false, authSite: 'northwind-audit' },
      })(stage);
    },
    moves: [todosShown],
  },
  {
    id: 'site-list-entering',
    name: 'select a board, entering a site',
    set: withSites({}, ({ script }) => void script.hold('selectSite')),
    moves: [todosShown, { do: 'click', on: '[data-site="harbor"] button' }, untilLoading],
  },
]);
