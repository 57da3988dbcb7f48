import type { ReactNode } from 'react';
import { useLanguage } from '../../i18n/language.ts';
import { Description, Heading } from '../../ui/text/Heading.tsx';

/** Shows the product version, for support. */
export function VersionScreen(): ReactNode {
  const { t } = useLanguage();
  return (
    <>
      <Heading>{t('version.heading')}</Heading>
      <Description>
        <span>{t('version.label')}</span> <bdi translate="no">{__ANTEROOM_VERSION__}</bdi>
      </Description>
    </>
  );
}
