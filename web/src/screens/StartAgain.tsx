import type { ReactNode } from 'react';
import { findSafeAddress } from '../addresses.ts';
import { returnUrl } from '../flow/context.ts';
import type { FlowState } from '../flow/model.ts';
import type { MessageKey } from '../i18n/keys.ts';
import { useLanguage } from '../i18n/language.ts';
import { ButtonLink } from '../ui/button/Button.tsx';
import { globalSupportAddress, homeAddress } from './addresses-of-config.ts';
import { useFlow } from './flow-context.tsx';

/**
 * A link to the return address of the sign-in, which restarts the sign-in, and one to the start page of the
 * installation. Without a return address, or at an unknown address, only the latter, with the name that the text of the
 * page gives it. If only the board office can help, it comes first, with one of the two after it.
 */
export function StartAgain({ asksOthers = false }: { asksOthers?: boolean | undefined }): ReactNode {
  const { t } = useLanguage();
  const address = useFlow(startAddress);
  const home = useFlow(homeAddress);
  const reason = useFlow((state) => state.errorPage.reason);
  const again = reason === 'address' && home !== undefined ? undefined : address;
  if (again === undefined && !asksOthers)
    return (
      <GoToBoards
        words={reason === 'address' || reason === 'start' ? 'common.goToBoards' : 'error.startAgain'}
      />
    );
  return (
    <>
      {asksOthers && <AskBoardOffice />}
      <StartLink
        address={again}
        words={t('error.startAgain')}
        variant={asksOthers ? 'secondary' : 'primary'}
      />
      {(again === undefined || !asksOthers) && (
        <StartLink address={home} words={t('common.goToBoards')} variant="secondary" />
      )}
    </>
  );
}

/**
 * A link to the start page, for a visitor without a sign-in (wire contract, `homeUri` of config.json). Without a start
 * page, a link to support.
 */
export function GoToBoards({
  variant,
  words = 'common.goToBoards',
}: Pick<StartLinkProps, 'variant'> & { words?: MessageKey }): ReactNode {
  const { t } = useLanguage();
  const home = useFlow(homeAddress);
  const support = useFlow(globalSupportAddress);
  return (
    <StartLink
      address={home ?? support}
      words={t(home === undefined ? 'common.contactSupport' : words)}
      variant={variant}
    />
  );
}

/** Opens a message in the user's mail program. The user knows the address of the board office; the service does not. */
export function AskBoardOffice(): ReactNode {
  const { t } = useLanguage();
  return (
    <ButtonLink action="ask-board-office" href="mailto:">
      {t('common.askBoardOffice')}
    </ButtonLink>
  );
}

interface StartLinkProps {
  address: string | undefined;
  words: string;
  variant?: 'primary' | 'secondary' | undefined;
}

function StartLink({ address, words, variant }: StartLinkProps): ReactNode {
  return (
    address !== undefined && (
      <ButtonLink href={address} variant={variant}>
        {words}
      </ButtonLink>
    )
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
