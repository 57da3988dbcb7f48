import type { ReactNode } from 'react';
import { useLanguage } from '../../i18n/language.ts';
import { InlineIcon } from '../icon/InlineIcon.tsx';
import { Room } from '../room/Room.tsx';
import { VisuallyHidden } from '../text/LiveRegion.tsx';
import styles from './notices.module.css';

export interface Notice {
  id: number;
  level: 'info' | 'error';
  /** Text, or sanitised content from the service. */
  content: ReactNode;
}

interface NoticesProps {
  notices: readonly Notice[];
  onDismiss: (id: number) => void;
}

/**
 * The notifications at the top. The live region exists while there are none, so that screen readers announce the first.
 */
export function Notices({ notices, onDismiss }: NoticesProps): ReactNode {
  const { t } = useLanguage();
  return (
    <section className={styles.place} aria-label={t('notifications.region')} aria-live="polite">
      <Room className={styles.list}>
        {notices.map(({ id, level, content }) => (
          <div className={`${styles.notice} ${styles[level]}`} data-notification={level} key={id}>
            <InlineIcon name={level === 'error' ? 'alert' : 'info'} />
            <div className={styles.content}>
              <VisuallyHidden>{`${t(`notifications.${level}`)}: `}</VisuallyHidden>
              <div>{content}</div>
            </div>
            <button
              className={styles.dismiss}
              type="button"
              data-action="dismiss"
              aria-label={t('notifications.dismiss')}
              onClick={() => onDismiss(id)}
            >
              <InlineIcon name="close" />
            </button>
          </div>
        ))}
      </Room>
    </section>
  );
}
