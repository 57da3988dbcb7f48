import type { Site } from '@anteroom/contract';
import type { ReactNode } from 'react';
import { asBase } from '../../api/client.ts';
import { returnUrl } from '../../flow/context.ts';
import type { MessageKey } from '../../i18n/keys.ts';
import { useLanguage } from '../../i18n/language.ts';
import { paths } from '../../paths.ts';
import { OpensInNewTab } from '../../ui/link/ActionLink.tsx';
import type { FrameAction } from '../../ui/link/action.ts';
import { globalSupportAddress } from '../addresses-of-config.ts';
import { useFlow } from '../flow-context.tsx';
import styles from './site-entry.module.css';

interface Lacking {
  lacksEntitlement: boolean;
  lacksFactor: boolean;
}

/** Why a site cannot be selected. */
export function BlockedReasons({ id, lacksEntitlement, lacksFactor }: Lacking & { id: string }): ReactNode {
  const { t } = useLanguage();
  return (
    <div className={styles.reasons} id={id}>
      {lacksEntitlement && <p>{t('selectSite.errors.entitlements')}</p>}
      {lacksFactor && <p>{t('selectSite.errors.mfa')}</p>}
    </div>
  );
}

/** The factor that the user adds on the account page, by the `mfaRemedy` of the site. */
const addedFactors: Partial<Record<string, MessageKey>> = {
  'add-totp': 'selectSite.remedies.totp',
  'add-sms': 'selectSite.remedies.sms',
  'add-passkey': 'selectSite.remedies.passkey',
  // The first service with remedies does not name the factor.
  'add-factor': 'selectSite.remedies.factor',
};

/** What this user can do about a site that cannot be selected. */
export function Remedies({ site, lacksEntitlement, lacksFactor }: Lacking & { site: Site }): ReactNode {
  return (
    <div className={styles.remedies}>
      {lacksFactor && <FactorRemedy site={site} />}
      {lacksEntitlement && <AskBoardOffice site={site} />}
    </div>
  );
}

function FactorRemedy({ site }: { site: Site }): ReactNode {
  const { t } = useLanguage();
  const support = useFlow(globalSupportAddress);
  const account = useFlow(({ context }) => paths.account(context?.clientId));
  const company = useFlow((state) => {
    const query = { site: site.name, returnUrl: returnUrl(state) ?? '', forceAuthentication: 'false' };
    const base = asBase(state.baseAddress);
    return `${base}/api/ui/auth/external/redirect?${new URLSearchParams(query).toString()}`;
  });
  const { mfaRemedy = '' } = site;
  const added = addedFactors[mfaRemedy];
  if (added !== undefined)
    return (
      <Remedy action="set-up-second-factor" href={account}>
        {t(added)}
      </Remedy>
    );
  if (mfaRemedy === 'sign-in-at-company')
    return (
      <Remedy action="sign-in-at-company" href={company}>
        {t('selectSite.remedies.company')}
      </Remedy>
    );
  if (support === undefined) return <AskBoardOffice site={site} />;
  return (
    <Remedy action="global-support" href={support} opensInNewTab>
      {t('common.contactSupport')}
    </Remedy>
  );
}

/** Like the button of the error page, with the board in the subject. */
function AskBoardOffice({ site }: { site: Site }): ReactNode {
  const { t } = useLanguage();
  const subject = encodeURIComponent(t('selectSite.remedies.subject', { site: site.displayName }));
  return (
    <Remedy action="ask-board-office" href={`mailto:?subject=${subject}`}>
      {t('common.askBoardOffice')}
    </Remedy>
  );
}

interface RemedyProps {
  action: FrameAction;
  href: string;
  opensInNewTab?: boolean;
  children: ReactNode;
}

function Remedy({ action, href, opensInNewTab = false, children }: RemedyProps): ReactNode {
  return (
    <a
      className={styles.remedy}
      href={href}
      data-action={action}
      {...(opensInNewTab && { target: '_blank', rel: 'noopener noreferrer' })}
    >
      {children}
      {opensInNewTab && <OpensInNewTab />}
    </a>
  );
}
