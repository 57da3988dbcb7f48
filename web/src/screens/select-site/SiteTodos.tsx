import type { Site } from '@anteroom/contract';
import { use, useCallback, useId, useRef, useState } from 'react';
import type { MouseEvent, ReactNode } from 'react';
import type { SiteTodo } from '../../flow/model.ts';
import { useLanguage } from '../../i18n/language.ts';
import { Icon } from '../../ui/icon/Icon.tsx';
import { Skeleton } from '../../ui/skeleton/Skeleton.tsx';
import { useDismissal } from '../../ui/tooltip/use-dismissal.ts';
import { useSend } from '../flow-context.tsx';
import { EntriesInViewContext } from './in-view.ts';
import styles from './site-todos.module.css';

/** The kinds of to-dos with a badge, in order (wire contract, "Names in the page"). */
const todoTypes = ['vote', 'questionnaire', 'minutes', 'actionItem'] as const;
type TodoType = (typeof todoTypes)[number];

/** Higher counts are shown as '20+'; votes are not capped (specification, point 9). */
const todoCap = 20;
const capped: ReadonlySet<TodoType> = new Set<TodoType>(['questionnaire', 'minutes', 'actionItem']);

interface Badge {
  type: TodoType;
  count: number;
  isCapped: boolean;
}

/** The badges of a site: each kind with a count above 0. A site without a director home page has none. */
export function badgesOf(todo: SiteTodo | undefined): readonly Badge[] {
  if (todo?.toDosApiStatus !== 'Success' || !todo.directorHomePageEnabled) return [];
  const counts: Record<TodoType, number> = {
    vote: todo.votesCount,
    questionnaire: todo.questionnairesCount,
    minutes: todo.minutesCount,
    actionItem: todo.actionItemsCount,
  };
  return todoTypes
    .map((type) => ({ type, count: counts[type], isCapped: capped.has(type) && counts[type] > todoCap }))
    .filter(({ count }) => count > 0);
}

/** What is new among the books of a site, named like the keys of the texts (specification, point 2). */
type BookMark = 'newBook' | 'bookUpdate';

export function marksOf(todo: SiteTodo | undefined): readonly BookMark[] {
  if (todo?.toDosApiStatus !== 'Success') return [];
  return [
    ...(todo.newMaterials ? ['newBook' as const] : []),
    ...(todo.bookUpdates ? ['bookUpdate' as const] : []),
  ];
}

interface SiteTodosProps {
  site: Site;
  todo: SiteTodo;
  headingLevel: 'h3' | 'h4';
  /** The site cannot be selected: its to-dos are plain text. */
  isBlocked: boolean;
}

/** The second line of an entry: the user's to-dos and whether a book is new. Its height is reserved while it loads. */
export function SiteTodos({ site, todo, headingLevel, isBlocked }: SiteTodosProps): ReactNode {
  const { t } = useLanguage();
  const line = isBlocked ? `${styles.line} ${styles.plain}` : styles.line;
  if (todo.toDosApiStatus === 'Initial' || todo.toDosApiStatus === 'Loading')
    return (
      <div className={line}>
        <Skeleton label={t('selectSite.loadingToDos')} shape="badges" />
      </div>
    );
  const badges = badgesOf(todo);
  const marks = marksOf(todo);
  if (badges.length + marks.length === 0) return <Nothing site={site.name} todo={todo} />;
  return (
    <div className={line}>
      {badges.length > 0 && (
        <Badges
          badges={badges}
          displayName={site.displayName}
          headingLevel={headingLevel}
          isBlocked={isBlocked}
        />
      )}
      {marks.map((mark) => (
        <span className={styles.mark} data-mark={mark} key={mark}>
          <Icon name="new-material" />
          <span className={styles.markWords}>{t(`selectSite.${mark}`)}</span>
        </span>
      ))}
    </div>
  );
}

/**
 * Shown if there are no to-dos or the service could not load them. A line that has been in view stays, because its
 * removal would move the text that the visitor reads. An entry further down has no line.
 */
function Nothing({ site, todo }: { site: string; todo: SiteTodo }): ReactNode {
  const { t } = useLanguage();
  const entriesInView = use(EntriesInViewContext);
  // Read only once, when the answer arrives.
  const [isKept] = useState(() => entriesInView?.wasReached(site) ?? false);
  if (!isKept) return null;
  // If to-dos are disabled or could not be loaded, it is unknown whether there are any.
  const isKnown = todo.toDosApiStatus === 'Success' && todo.directorHomePageEnabled;
  return <p className={styles.line}>{isKnown && t('selectSite.nothingAwaits')}</p>;
}

interface BadgesProps {
  badges: readonly Badge[];
  displayName: string;
  headingLevel: 'h3' | 'h4';
  isBlocked: boolean;
}

/** The badges under their heading. A message about a pressed badge is shown below them. */
function Badges({ badges, displayName, headingLevel: Heading, isBlocked }: BadgesProps): ReactNode {
  const { t } = useLanguage();
  const headingId = useId();
  const [isAnswered, setAnswered] = useState(false);
  const place = useRef<HTMLDivElement>(null);
  useDismissal(
    isAnswered,
    place,
    useCallback(() => setAnswered(false), []),
  );
  return (
    <div className={styles.todos} ref={place}>
      <Heading className={styles.heading} id={headingId}>
        {t('selectSite.awaitingReview')}
      </Heading>
      <ul className={styles.badges} aria-labelledby={headingId}>
        {badges.map((badge) => (
          <li key={badge.type}>
            {isBlocked ? (
              <BadgeText badge={badge} />
            ) : (
              <TodoBadge badge={badge} displayName={displayName} onPress={() => setAnswered(true)} />
            )}
          </li>
        ))}
      </ul>
      {!isBlocked && (
        <div className={styles.answer} aria-live="polite">
          {isAnswered && t('selectSite.openToSee', { site: displayName })}
        </div>
      )}
    </div>
  );
}

/** A count as text; isolated, so that the plus sign stays after the number in a right-to-left line. */
function BadgeText({ badge: { type, count, isCapped } }: { badge: Badge }): ReactNode {
  const { t } = useLanguage();
  // The plural form matches the number that is shown.
  return isCapped
    ? t(`selectSite.toDos.${type}`, { count: todoCap, shown: `\u2066${todoCap}+\u2069` })
    : t(`selectSite.toDos.${type}`, { count, shown: count });
}

interface TodoBadgeProps {
  badge: Badge;
  displayName: string;
  onPress: () => void;
}

/** A kind of to-do with its count. A press is reported to the embedding page and does not select the site. */
function TodoBadge({ badge, displayName, onPress }: TodoBadgeProps): ReactNode {
  const { t } = useLanguage();
  const send = useSend();
  const tipId = useId();
  const [showsTip, setShowsTip] = useState(false);
  const { type, count, isCapped } = badge;
  const hasTip = isCapped && type === 'questionnaire';

  const report = ({ currentTarget }: MouseEvent): void => {
    const detail = { type, site: displayName, count };
    currentTarget.dispatchEvent(new CustomEvent('todo-click', { detail, bubbles: true }));
    send({ type: 'TODO_CLICKED', todoType: type, site: displayName, count });
    onPress();
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
        onClick={report}
        onFocus={() => setShowsTip(true)}
        onBlur={() => setShowsTip(false)}
        onKeyDown={(event) => event.key === 'Escape' && setShowsTip(false)}
      >
        <BadgeText badge={badge} />
      </button>
      {hasTip && (
        <span className={styles.tip} role="tooltip" id={tipId} hidden={!showsTip}>
          {t('selectSite.questionnairesCapped', { cap: todoCap })}
        </span>
      )}
    </span>
  );
}
