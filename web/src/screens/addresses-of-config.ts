import type { Config, Locale } from '@anteroom/contract';
import { findSafeAddress } from '../addresses.ts';
import type { FlowState } from '../flow/model.ts';
import { privacyPolicySuffixOf } from '../i18n/locales.ts';

/** The support page of the installation. */
export function globalSupportAddress({ config }: Pick<FlowState, 'config'>): string | undefined {
  return findSafeAddress(config?.globalSupportUrl);
}

/** The page for a visitor without a sign-in. */
export function homeAddress({ config }: Pick<FlowState, 'config'>): string | undefined {
  return findSafeAddress(config?.homeUri);
}

/**
 * The privacy policy in a language: base address plus the language's suffix (specification, point 2, "Page layout").
 */
export function privacyPolicyAddress(config: Config | undefined, locale: Locale): string | undefined {
  const base = findSafeAddress(config?.privacyPolicyBaseUrl);
  const privacyPolicySuffix = privacyPolicySuffixOf(locale);
  if (base === undefined || privacyPolicySuffix === '') return base;
  return `${base.replace(/\/$/, '')}/${privacyPolicySuffix}`;
}
