import type { ReactNode } from 'react';
import { findSafeAddress } from '../addresses.ts';
import { returnUrl } from '../flow/context.ts';
import type { FlowState } from '../flow/model.ts';
import { useLanguage } from '../i18n/language.ts';
import { ButtonLink } from '../ui/button/ButtonLink.tsx';
import { useFlow } from './flow-context.tsx';
import styles from './start-again.module.css';

/** The way back to the beginning: the address that the sign-in came with starts it again. */
export function StartAgain(): ReactNode {
  const { t } = useLanguage();
  const address = useFlow(startAddress);
  if (address === undefined) return null;
  return (
    <div className={styles.startAgain}>
      <ButtonLink href={address}>{t('error.startAgain')}</ButtonLink>
    </div>
  );
}

/** ReturnUrl stands in the address, where anybody can write it: a link that invites leads only to our own service. */
function startAddress(state: FlowState): string | undefined {
  const address = findSafeAddress(returnUrl(state));
  if (address === undefined) return undefined;
  const { origin } = new URL(address);
  const ours = [location.origin, URL.parse(state.baseAddress)?.origin];
  return ours.includes(origin) ? address : undefined;
}
