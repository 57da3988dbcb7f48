import type { ReactNode } from 'react';
import { useLanguage } from '../../i18n/language.ts';
import { LanguagePicker } from '../language-picker/LanguagePicker.tsx';
import { ActionLink } from '../link/ActionLink.tsx';
import styles from './footer.module.css';

interface FooterProps {
  /** The privacy policy; undefined: no link. */
  privacyPolicyAddress: string | undefined;
  /** The support page, from config.json; undefined: no link. */
  globalSupportAddress: string | undefined;
  locales: readonly string[];
  onChooseLanguage: (locale: string) => void;
}

/** The footer of a card. */
export function Footer(props: FooterProps): ReactNode {
  const { privacyPolicyAddress, globalSupportAddress, locales, onChooseLanguage } = props;
  const { t } = useLanguage();
  return (
    <footer className={styles.footer}>
      {privacyPolicyAddress !== undefined && (
        <ActionLink action="privacy-policy" href={privacyPolicyAddress} opensInNewTab>
          {t('footer.privacyPolicy')}
        </ActionLink>
      )}
      {globalSupportAddress !== undefined && (
        <ActionLink action="global-support" href={globalSupportAddress} opensInNewTab>
          {t('footer.globalSupport')}
        </ActionLink>
      )}
      <div className={styles.languages}>
        <LanguagePicker locales={locales} onChoose={onChooseLanguage} />
      </div>
    </footer>
  );
}
