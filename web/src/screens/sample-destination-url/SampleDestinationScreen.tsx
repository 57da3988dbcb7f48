import type { ReactNode } from 'react';
import { useLanguage } from '../../i18n/language.ts';
import { Description, Heading } from '../../ui/text/Heading.tsx';
import styles from './sample-destination.module.css';

/** Replaces an application outside production. Shows the final URL of a flow with all parameters. */
export function SampleDestinationScreen(): ReactNode {
  const { t } = useLanguage();
  return (
    <>
      <Heading>{t('sampleDestination.heading')}</Heading>
      <Description>{t('sampleDestination.description')}</Description>
      <p className={styles.address}>
        <bdi translate="no" dir="ltr">
          {location.href}
        </bdi>
      </p>
    </>
  );
}
