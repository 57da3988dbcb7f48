import type { ScriptedIdentity } from '../scripted/scripted-identity.ts';
import { accountStates } from './account.ts';
import { arrivalStates } from './arrival.ts';
import { confirmationStates, credentialsStates } from './credentials.ts';
import { otherPageStates } from './other-pages.ts';
import { passwordChangeStates } from './password-change.ts';
import { recoveryStates } from './recovery.ts';
import { secondFactorStates } from './second-factor.ts';
import { signOutStates } from './sign-out.ts';
import { chooseAccountStates } from './choose-account.ts';
import { siteEntryStates } from './site-entry.ts';
import { siteListStates } from './site-list.ts';
import type { State } from './state.ts';

/** Every state of every screen: the list that journeys, pictures and the gallery share. */
export const states: readonly State[] = [
  ...arrivalStates,
  ...chooseAccountStates,
  ...siteEntryStates,
  ...credentialsStates,
  ...confirmationStates,
  ...secondFactorStates,
  ...passwordChangeStates,
  ...siteListStates,
  ...signOutStates,
  ...otherPageStates,
  ...recoveryStates,
  ...accountStates,
];

/** @throws if there is no state with this id */
export function requireState(id: string): State {
  const found = states.find((state) => state.id === id);
  if (!found) throw new Error(`There is no state ${id}.`);
  return found;
}

const returnUrl = (locale: string | undefined): string =>
  `/connect/authorize/sample?${new URLSearchParams({
    client_id: 'director',
    scope: 'openid',
    redirect_uri: 'https://boards.example/back',
    ...(locale === undefined ? {} : { requested_language: locale }),
  }).toString()}`;

/**
 * The URL where the moves of a state begin, without the delay of the splash.
 * @param locale the language of the visit; default: the browser's
 */
export function addressOfState(
  { path = '/account/login', fragment = '' }: Pick<State, 'path' | 'fragment'>,
  { urls }: Pick<ScriptedIdentity, 'urls'>,
  locale?: string,
): string {
  const query = new URLSearchParams({ ReturnUrl: returnUrl(locale), skip_splash: 'true' });
  return `${urls.service}/ui${path}${path.includes('?') ? '&' : '?'}${query.toString()}${fragment}`;
}
