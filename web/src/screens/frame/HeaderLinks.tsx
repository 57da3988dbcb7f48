import type { ComponentType, ReactNode } from 'react';
import { boardsAddress, isElevate, returnUrl } from '../../flow/context.ts';
import type { Page } from '../../flow/model.ts';
import { useLanguage } from '../../i18n/language.ts';
import { paths } from '../../paths.ts';
import { ActionButton } from '../../ui/link/ActionButton.tsx';
import { ActionLink } from '../../ui/link/ActionLink.tsx';
import { globalSupportAddress } from '../addresses-of-config.ts';
import { useFlow, useSend } from '../flow-context.tsx';

/** The links above the content (specification, point 2, "Routes"). */
const linksOfPages: Readonly<Partial<Record<Page, ComponentType>>> = {
  'site-entry': BackToChoice,
  credentials: BackToSiteEntry,
  elevate: BackToBoards,
  'second-factor-required': BackFromConfirmation,
  'password-required': BackInWizard,
  'password-reset-voluntary': BackAndHelp,
  'select-site': SignOutOrBack,
};

export function HeaderLinks({ page }: { page: Page }): ReactNode {
  const Links = linksOfPages[page];
  return Links && <Links />;
}

/** Back to the boards while switching the tenant, or to the accounts that the browser remembers. */
function BackToChoice(): ReactNode {
  const isSwitching = useFlow((state) => state.context?.promptMethod === 'switch_tenant');
  const hasAccounts = useFlow((state) => state.context?.rememberedAccounts?.length);
  return isSwitching ? <BackToBoards /> : hasAccounts ? <Back /> : null;
}

/** A confirmation can be left at its code too. A sign-in has no boards to go back to. */
function BackFromConfirmation(): ReactNode {
  return useFlow(isElevate) && <BackToBoards />;
}

function SignOutOrBack(): ReactNode {
  const isSwitching = useFlow((state) => state.context?.promptMethod === 'switch_site');
  return isSwitching ? <BackToBoards /> : <SignOut />;
}

function BackAndHelp(): ReactNode {
  return (
    <>
      <Back />
      <Help />
    </>
  );
}

/** The link back to site entry. Shown only if default-site entry is allowed. */
function BackToSiteEntry(): ReactNode {
  const { t } = useLanguage();
  const send = useSend();
  const isAllowed = useFlow((state) => state.context?.allowDefaultSiteEntry ?? false);
  const back = useFlow(returnUrl);
  if (!isAllowed) return null;
  return (
    <ActionLink
      action="back-to-site"
      href={paths.login(back)}
      isBack
      onFollow={() => send({ type: 'BACK_TO_SITE' })}
    >
      {t('login.backToSite')}
    </ActionLink>
  );
}

function BackToBoards(): ReactNode {
  const { t } = useLanguage();
  const send = useSend();
  const address = useFlow((state) => boardsAddress(state.context));
  if (address === undefined) return null;
  return (
    <ActionLink
      action="back-to-boards"
      href={address}
      isBack
      onFollow={() => send({ type: 'BACK_TO_BOARDS' })}
    >
      {t('common.backToBoards')}
    </ActionLink>
  );
}

/** The back link. Shown only if the wizard has a previous step. */
function BackInWizard(): ReactNode {
  const hasHistory = useFlow((state) => state.history.length > 1);
  return hasHistory && <Back />;
}

function Back(): ReactNode {
  const { t } = useLanguage();
  const send = useSend();
  return (
    <ActionButton action="back" isBack onPress={() => send({ type: 'BACK' })}>
      {t('common.back')}
    </ActionButton>
  );
}

function SignOut(): ReactNode {
  const { t } = useLanguage();
  const send = useSend();
  return (
    <ActionButton action="sign-out" onPress={() => send({ type: 'SIGN_OUT' })}>
      {t('common.signOut')}
    </ActionButton>
  );
}

function Help(): ReactNode {
  const { t } = useLanguage();
  const address = useFlow(globalSupportAddress);
  if (address === undefined) return null;
  return (
    <ActionLink action="global-support" href={address} opensInNewTab>
      {t('passwordChange.help')}
    </ActionLink>
  );
}
