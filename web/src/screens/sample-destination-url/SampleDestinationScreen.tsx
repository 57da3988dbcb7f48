import type { ReactNode } from 'react';
import { useLanguage } from '../../i18n/language.ts';
import { Description } from '../../ui/text/Description.tsx';
import { Heading } from '../../ui/text/Heading.tsx';
import styles from './sample-destination.module.css';

/** Stands where an application would be, outside production: where a flow led to, with everything it brought along. */
export function SampleDestinationScreen(): ReactNode {
  const { t } = useLanguage();
  return (
    <>
      <Heading>{t('sampleDestination.heading')}</Heading>
      <Description>{t('sampleDestination.description')}</Description>
      <p className={styles.address}>
        <bdi dir="ltr">{location.href}</bdi>
      </p>
    </>
  );
}
