import type { ReactNode } from 'react';
import { findSafeAddress } from '../../addresses.ts';
import { findOrganisation } from '../../flow/context.ts';
import type { Page } from '../../flow/model.ts';
import { useLanguage } from '../../i18n/language.ts';
import { useFlow } from '../flow-context.tsx';
import { BackToSite } from './HeaderLinks.tsx';
import styles from './site-header.module.css';

/** The steps that show the organisation. `true`: the visitor can switch to another one. */
const pages: Readonly<Partial<Record<Page, boolean>>> = {
  credentials: true,
  'second-factor-required': true,
  elevate: false,
  'password-required': false,
  'password-reset-required': false,
};

/**
 * Shows the organisation, so that visitors do not type a password for another one. Shows nothing if the service does
 * not name the organisation.
 */
export function SiteHeader({ page }: { page: Page }): ReactNode {
  const { t } = useLanguage();
  const site = useFlow((state) => state.site);
  const displayName = useFlow((state) => findOrganisation(state)?.displayName);
  const logo = useFlow((state) => findSafeAddress(findOrganisation(state)?.logoPath));
  const mayLeave = pages[page];
  if (!displayName || mayLeave === undefined) return null;
  return (
    <div className={styles.header} data-site-header="">
      {logo !== undefined && (
        // The logo is hidden if it cannot be loaded.
        <img
          className={styles.logo}
          src={logo}
          alt=""
          onError={({ currentTarget }) => (currentTarget.hidden = true)}
        />
      )}
      <div className={styles.names}>
        <span className={styles.name}>
          <bdi>{displayName}</bdi>
        </span>
        <span className={styles.site}>
          <span>
            <bdi>{site}</bdi>
          </span>
          {mayLeave && <BackToSite action="not-your-site">{t('site.notYours')}</BackToSite>}
        </span>
      </div>
    </div>
  );
}
