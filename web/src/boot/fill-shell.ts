import type { CallAnswer, Config, Locale } from '@anteroom/contract';
import { findFirstForm } from '@anteroom/contract/first-form';
import type { FirstForm } from '@anteroom/contract/first-form';
import { findSafeAddress, recoveryAddress } from '../addresses.ts';
import { findCookie } from '../cookies.ts';
import type { MessageTree } from '../i18n/keys.ts';
import { paths } from '../paths.ts';
import { globalSupportAddress, privacyPolicyAddress } from '../screens/addresses-of-config.ts';
import type { ParsedArrival } from './arrival.ts';

export interface ShellSources {
  arrival: ParsedArrival;
  locale: Locale;
  context: CallAnswer<'getAuthContext'> | undefined;
  settings: CallAnswer<'getSiteSettings'> | undefined;
  config: Config | undefined;
  words: MessageTree | undefined;
}

/**
 * Returns the shell that equals the first screen; undefined if no shell does. Must agree with the flow
 * (`flow/steps/initialisation.ts`); a test compares the two.
 */
export function chooseShell({
  arrival,
  context,
  settings,
  config,
  words,
}: ShellSources): FirstForm | undefined {
  if (arrival.entry.kind !== 'login' || !arrival.skipSplash || !context || !config || !words)
    return undefined;
  // A notice from another page would appear above the form.
  if (findCookie('anteroom_notice') !== undefined) return undefined;
  const form = findFirstForm(context, settings);
  const isServed = findSafeAddress(context.identityServiceUrl ?? undefined) !== undefined;
  const isShown = form === 'site-entry' ? context.allowDefaultSiteEntry || !isServed : isServed;
  return isShown ? form : undefined;
}

/**
 * Makes a shell equal to the first render of its screen: fills in names and addresses, and removes optional parts that
 * this sign-in does not have.
 */
export function fillShell(
  shell: ParentNode,
  { arrival, locale, context, config }: ShellSources & { context: object },
): void {
  const returnUrl = arrival.returnUrl ?? context.returnUrl ?? undefined;
  const all = <TElement extends Element>(selector: string): TElement[] => [
    ...shell.querySelectorAll<TElement>(selector),
  ];
  const link = (action: string, address: string | undefined): void => {
    for (const anchor of all<HTMLAnchorElement>(`[data-action=${action}]`)) {
      if (address === undefined) anchor.remove();
      else anchor.href = address;
    }
  };

  const site = context.defaultSite ?? undefined;
  const logo = findSafeAddress(context.defaultSiteLogoPath ?? undefined);
  for (const image of all<HTMLImageElement>('[data-site-header] img')) {
    if (logo === undefined) image.remove();
    else image.src = logo;
    image.onerror = () => (image.hidden = true);
  }
  const [header] = all('[data-site-header]');
  if (!context.defaultSiteDisplayName) header?.replaceWith(...header.querySelectorAll('div'));
  all('h2 bdi')[0]?.replaceChildren(context.defaultSiteDisplayName ?? site ?? '');

  const typed = site === undefined ? arrival.rememberedSite : (arrival.enteredUserName ?? context.loginHint);
  if (typed != null) all('input')[0]?.setAttribute('value', typed);

  link('back-to-site', context.allowDefaultSiteEntry ? paths.login(returnUrl) : undefined);
  link('forgot-site', recoveryAddress(context.siteRecoveryClientUri ?? undefined, locale, returnUrl));
  link('forgot-credentials', recoveryAddress(context.forgotPasswordUrl ?? undefined, locale, returnUrl));
  link('global-support', globalSupportAddress({ config }));
  link('privacy-policy', privacyPolicyAddress(config, locale));
  if (!context.extensions?.includes('passkeys')) all('[data-passkeys]')[0]?.remove();
}
