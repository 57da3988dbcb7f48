import { useId, useState } from 'react';
import type { MouseEvent, ReactNode } from 'react';
import { useLanguage } from '../../i18n/language.ts';
import { Icon } from '../../ui/icon/Icon.tsx';
import type { IconName } from '../../ui/icon/Icon.tsx';
import { useSend } from '../flow-context.tsx';
import { todoCap } from './todo-badges.ts';
import type { Badge, TodoType } from './todo-badges.ts';
import styles from './todo.module.css';

const icons: Record<TodoType, IconName> = {
  vote: 'vote',
  questionnaire: 'questionnaire',
  minutes: 'minutes',
  actionItem: 'action-item',
};

interface TodoBadgeProps {
  badge: Badge;
  displayName: string;
}

/** One kind of to-do and how many. A click on it is told to whoever embeds the page; it does not select the site. */
export function TodoBadge({ badge: { type, count, isCapped }, displayName }: TodoBadgeProps): ReactNode {
  const { t } = useLanguage();
  const send = useSend();
  const tipId = useId();
  const [showsTip, setShowsTip] = useState(false);
  // isolated, so that the plus stays behind the figure in a right-to-left line
  const shown = isCapped ? `\u2066${todoCap}+\u2069` : count;
  const hasTip = isCapped && type === 'questionnaire';

  const tell = ({ currentTarget }: MouseEvent): void => {
    const detail = { type, site: displayName, count };
    currentTarget.dispatchEvent(new CustomEvent('todo-click', { detail, bubbles: true }));
    send({ type: 'TODO_CLICKED', todoType: type, site: displayName, count });
  };

  return (
    <span
      className={styles.place}
      onPointerEnter={() => setShowsTip(true)}
      onPointerLeave={() => setShowsTip(false)}
    >
      <button
        className={styles.badge}
        type="button"
        data-todo={type}
        aria-describedby={hasTip ? tipId : undefined}
        onClick={tell}
        onFocus={() => setShowsTip(true)}
        onBlur={() => setShowsTip(false)}
        onKeyDown={(event) => event.key === 'Escape' && setShowsTip(false)}
      >
        <Icon name={icons[type]} />
        <span className={styles.words}>{t(`selectSite.toDos.${type}`, { count, shown })}</span>
        {/* what stays of it where there is no room for words */}
        <span className={styles.figure} aria-hidden="true">
          {shown}
        </span>
      </button>
      {hasTip && (
        <span className={styles.tip} role="tooltip" id={tipId} hidden={!showsTip}>
          {t('selectSite.questionnairesCapped', { cap: todoCap })}
        </span>
      )}
    </span>
  );
}
