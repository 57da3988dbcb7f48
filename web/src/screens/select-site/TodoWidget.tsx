import { useId } from 'react';
import type { ReactNode } from 'react';
import type { SiteTodo } from '../../flow/model.ts';
import { useLanguage } from '../../i18n/language.ts';
import { Skeleton } from '../../ui/skeleton/Skeleton.tsx';
import { badgesOf } from './todo-badges.ts';
import { TodoBadge } from './TodoBadge.tsx';
import styles from './todo.module.css';

interface TodoWidgetProps {
  todo: SiteTodo;
  displayName: string;
  headingLevel: 'h3' | 'h4';
}

/** What awaits the person at a site. Where nothing does, or nobody could say, the place of it stays: nothing jumps. */
export function TodoWidget({ todo, displayName, headingLevel }: TodoWidgetProps): ReactNode {
  return (
    <div className={styles.widget}>
      <Content todo={todo} displayName={displayName} headingLevel={headingLevel} />
    </div>
  );
}

function Content({ todo, displayName, headingLevel: Heading }: TodoWidgetProps): ReactNode {
  const { t } = useLanguage();
  const headingId = useId();
  if (todo.toDosApiStatus === 'Initial' || todo.toDosApiStatus === 'Loading')
    return <Skeleton label={t('selectSite.loadingToDos')} shape="badges" />;
  const badges = badgesOf(todo);
  if (badges.length === 0) return null;
  return (
    <>
      <Heading className={styles.heading} id={headingId}>
        {t('selectSite.awaitingReview')}
      </Heading>
      <ul className={styles.badges} aria-labelledby={headingId}>
        {badges.map((badge) => (
          <li key={badge.type}>
            <TodoBadge badge={badge} displayName={displayName} />
          </li>
        ))}
      </ul>
    </>
  );
}
