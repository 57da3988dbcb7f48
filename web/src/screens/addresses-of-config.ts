import type { Config, Locale } from '@anteroom/contract';
import { findSafeAddress } from '../addresses.ts';
import type { FlowState } from '../flow/model.ts';
import { privacyPolicySuffixOf } from '../i18n/locales.ts';

/** Where support is, as the installation says. */
export function globalSupportAddress({ config }: FlowState): string | undefined {
  return findSafeAddress(config?.globalSupportUrl);
}

/** Where a visitor without a sign-in may go. */
export function homeAddress({ config }: FlowState): string | undefined {
  return findSafeAddress(config?.homeUri);
}

/** The privacy policy in a language: a fixed base and the language's suffix (specification, point 2, "Page layout"). */
export function privacyPolicyAddress(config: Config | undefined, locale: Locale): string | undefined {
  const base = findSafeAddress(config?.privacyPolicyBaseUrl);
  const privacyPolicySuffix = privacyPolicySuffixOf(locale);
  if (base === undefined || privacyPolicySuffix === '') return base;
  return `${base.replace(/\/$/, '')}/${privacyPolicySuffix}`;
}
