import type { CallAnswer } from '@anteroom/contract';
import { both, context, unknownSite } from './contexts.ts';
import { untilLoading } from './moves.ts';
import { statesOf } from './state.ts';

type Account = NonNullable<CallAnswer<'getAuthContext'>['rememberedAccounts']>[number];

const dana: Account = {
  id: 'one',
  name: 'Dana Whitfield',
  userName: 'dana@northwind.example',
  site: 'northwind',
  siteDisplayName: 'Northwind Holdings',
  siteLogoPath: '/ui/favicon.svg',
};
const atHarbor: Account = { ...dana, id: 'two', site: 'harbor', siteDisplayName: 'Harbor Trust' };
const longName: Account = {
  id: 'three',
  name: 'Maximiliane Freifrau von Hohenlohe-Waldenburg',
  userName: 'maximiliane@summit.example',
  site: 'summit',
  siteDisplayName: 'Internationale Stiftung für Meeresforschung Kiel',
};
const accounts = { rememberedAccounts: [dana, atHarbor, longName] };

const chooseFirst = { do: 'click', on: '[data-action="continue-as"]' } as const;

export const chooseAccountStates = statesOf('Remembered accounts', 'choose-account', [
  { id: 'choose-account', name: 'three remembered accounts', set: unknownSite(accounts) },
  {
    id: 'choose-account-one',
    name: 'one remembered account',
    set: context({ rememberedAccounts: [dana] }),
  },
  {
    id: 'choose-account-alike',
    name: 'two accounts of one name',
    set: unknownSite({ rememberedAccounts: [dana, { ...dana, id: 'two', userName: 'dana.office' }] }),
  },
  {
    id: 'choose-account-under-way',
    name: 'remembered accounts, loading',
    set: both(unknownSite(accounts), ({ script }) => void script.hold('getSiteExistence')),
    moves: [chooseFirst, untilLoading],
  },
  {
    id: 'choose-account-chosen',
    name: 'the password of a remembered account',
    set: unknownSite(accounts),
    moves: [chooseFirst, { do: 'wait-for', selector: '[data-step="credentials"] input[name="password"]' }],
    step: 'credentials',
  },
  {
    id: 'choose-account-not-forgotten',
    name: 'an account that could not be forgotten',
    set: both(unknownSite(accounts), ({ script }) => script.cut('forgetAccount')),
    moves: [
      { do: 'click', on: '[data-action="forget-account"]' },
      { do: 'wait-for', selector: '[role="alert"] svg' },
    ],
  },
]);
