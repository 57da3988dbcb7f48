import { useId } from 'react';
import type { ReactNode } from 'react';
import { useLanguage } from '../../../i18n/language.ts';
import { Description } from '../../../ui/text/Heading.tsx';
import styles from '../../app-enrolment.module.css';
import { CodeForm } from '../CodeForm.tsx';

interface AppCodeProps {
  /** Whether the user sets up the app, and this is the last step. */
  isEnrolment?: boolean;
  /** Whether the code is sent with the name of its factor. */
  isNamed?: boolean;
  /** Content above the form. */
  children?: ReactNode;
}

/** The code from the app. */
export function AppCode({ isEnrolment = false, isNamed = false, children }: AppCodeProps): ReactNode {
  const { t } = useLanguage();
  const wordsId = useId();
  return (
    <>
      {isEnrolment ? (
        <p className={styles.step} id={wordsId}>
          {t('authenticator.enter')}
        </p>
      ) : (
        <Description id={wordsId}>{t('authenticator.description')}</Description>
      )}
      {children}
      <CodeForm
        required={t('authenticator.errors.codeRequired')}
        wrong={t('authenticator.errors.invalidCode')}
        describedBy={wordsId}
        factor={isNamed ? 'totp' : undefined}
      />
    </>
  );
}
