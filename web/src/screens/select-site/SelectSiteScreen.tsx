import { wholeName } from '@anteroom/contract/person-name';
import { useMemo } from 'react';
import type { ReactNode } from 'react';
import type { FlowState } from '../../flow/model.ts';
import { selectableSites } from '../../flow/steps/select-site.ts';
import { useLanguage } from '../../i18n/language.ts';
import { RichText } from '../../i18n/rich-text.tsx';
import { Alert } from '../../ui/alert/Alert.tsx';
import { Skeleton } from '../../ui/skeleton/Skeleton.tsx';
import { Heading } from '../../ui/text/Heading.tsx';
import { LiveRegion } from '../../ui/text/LiveRegion.tsx';
import { useFlow } from '../flow-context.tsx';
import styles from './select-site.module.css';
import { SiteChooser } from './SiteChooser.tsx';
import { listSites } from './site-order.ts';

/** The boards that the person may enter. */
export function SelectSiteScreen(): ReactNode {
  const { t } = useLanguage();
  const error = useFlow((state) => state.error);
  const opening = useFlow(openingSite);
  return (
    <>
      <Welcome />
      <Heading>{t('selectSite.prompt')}</Heading>
      <Alert
        message={error?.kind === 'SiteRequiresMfa' ? t('mfa.errors.notConfigured') : undefined}
        occurrence={error?.occurrence ?? 0}
      />
      <Sites />
      <LiveRegion isAssertive message={opening && t('selectSite.opening', { site: opening })} />
    </>
  );
}

/** The line is kept while the names are on their way. */
function Welcome(): ReactNode {
  const name = useFlow(({ siteList }) =>
    siteList ? wholeName(siteList.userFirstName, siteList.userLastName) : '',
  );
  return (
    <p className={styles.welcome}>
      {name !== '' && <RichText message="selectSite.welcome" parts={{ name: <bdi>{name}</bdi> }} />}
    </p>
  );
}

function Sites(): ReactNode {
  const { t, locale } = useLanguage();
  const sites = useFlow((state) => state.siteList?.sites);
  const listed = useMemo(() => sites && listSites(sites, locale), [sites, locale]);
  if (listed) return <SiteChooser listed={listed} />;
  return (
    <div className={styles.waiting}>
      <Skeleton label={t('common.loading')} shape="entry" />
      <Skeleton label={t('common.loading')} shape="entry" />
    </div>
  );
}

/** The display name of the site that is being opened. */
function openingSite(state: FlowState): string | undefined {
  if (!state.loading || state.leavingTo !== undefined) return undefined;
  return selectableSites(state).find(({ name }) => name === state.site)?.displayName;
}
