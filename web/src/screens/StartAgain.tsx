import type { ReactNode } from 'react';
import { findSafeAddress } from '../addresses.ts';
import { returnUrl } from '../flow/context.ts';
import type { FlowState } from '../flow/model.ts';
import { useLanguage } from '../i18n/language.ts';
import { ButtonLink } from '../ui/button/Button.tsx';
import { globalSupportAddress, homeAddress } from './addresses-of-config.ts';
import { useFlow } from './flow-context.tsx';
import styles from './start-again.module.css';

/**
 * A link to the return address of the sign-in, which restarts the sign-in, and one to the start page of the
 * installation. Without a return address, or at an unknown address, only the latter.
 */
export function StartAgain(): ReactNode {
  const { t } = useLanguage();
  const address = useFlow(startAddress);
  const home = useFlow(homeAddress);
  // The text sends the visitor to the boards.
  const isElsewhere = useFlow((state) => state.errorPage.reason === 'address') && home !== undefined;
  if (address === undefined || isElsewhere) return <GoToBoards />;
  return (
    <>
      <StartLink address={address} words={t('error.startAgain')} />
      {home !== undefined && <StartLink address={home} words={t('common.goToBoards')} variant="secondary" />}
    </>
  );
}

/**
 * A link to the start page, for a visitor without a sign-in (wire contract, `homeUri` of config.json). Without a start
 * page, a link to support.
 */
export function GoToBoards(): ReactNode {
  const { t } = useLanguage();
  const home = useFlow(homeAddress);
  const support = useFlow(globalSupportAddress);
  if (home !== undefined) return <StartLink address={home} words={t('common.goToBoards')} />;
  return support !== undefined && <StartLink address={support} words={t('footer.globalSupport')} />;
}

interface StartLinkProps {
  address: string;
  words: string;
  variant?: 'primary' | 'secondary';
}

function StartLink({ address, words, variant }: StartLinkProps): ReactNode {
  return (
    <div className={styles.startAgain}>
      <ButtonLink href={address} variant={variant}>
        {words}
      </ButtonLink>
    </div>
  );
}

/**
 * The address for the link, only if it is at the identity service: anyone can put a ReturnUrl into the page's address.
 */
function startAddress(state: FlowState): string | undefined {
  const address = findSafeAddress(returnUrl(state));
  if (address === undefined) return undefined;
  const { origin } = new URL(address);
  const ownOrigins = [location.origin, URL.parse(state.baseAddress)?.origin];
  return ownOrigins.includes(origin) ? address : undefined;
}
