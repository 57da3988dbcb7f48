import type { Site } from '@anteroom/contract';
import { use, useCallback, useId, useRef, useState } from 'react';
import type { MouseEvent, ReactNode } from 'react';
import type { SiteTodo } from '../../flow/model.ts';
import { useLanguage } from '../../i18n/language.ts';
import { RichText } from '../../i18n/rich-text.tsx';
import { bringIntoView } from '../../ui/bring-into-view.ts';
import { Button } from '../../ui/button/Button.tsx';
import { Icon } from '../../ui/icon/Icon.tsx';
import { Skeleton } from '../../ui/skeleton/Skeleton.tsx';
import factStyles from '../../ui/text/facts.module.css';
import textStyles from '../../ui/text/text.module.css';
import { useDismissal } from '../../ui/tooltip/use-dismissal.ts';
import { useSend } from '../flow-context.tsx';
import { EntriesInViewContext } from './in-view.ts';
import styles from './site-todos.module.css';
import { badgesOf, isPending, marksOf, todoCap } from './todos.ts';
import type { Badge } from './todos.ts';

interface SiteTodosProps {
  site: Site;
  todo: SiteTodo;
  headingLevel: 3 | 4 | 5;
  /** The site cannot be selected: its to-dos are plain text. */
  isBlocked: boolean;
}

/** The last line of an entry: the user's to-dos and whether a book is new. It is reserved while it loads. */
export function SiteTodos(props: SiteTodosProps): ReactNode {
  const { t } = useLanguage();
  if (!isPending(props.todo)) return <Answered {...props} />;
  return (
    <div className={styles.line}>
      <Skeleton label={t('common.loading')} shape="badges" />
    </div>
  );
}

function Answered({ site, todo, headingLevel, isBlocked }: SiteTodosProps): ReactNode {
  const { t } = useLanguage();
  const entriesInView = use(EntriesInViewContext);
  // Whether removing the line would move what the visitor sees (wire contract, 'what awaits, while it loads'). Read only
  // once, when the answer arrives.
  const [isKept] = useState(() => entriesInView?.wasReached(site.name) ?? false);
  const [isOneLine, setOneLine] = useState(isKept);
  const badges = badgesOf(todo);
  const marks = marksOf(todo);
  if (badges.length + marks.length === 0 && !isKept) return null;
  return (
    <div className={isOneLine ? `${styles.line} ${styles.oneLine}` : styles.line}>
      {todo.toDosApiStatus === 'Error' && (
        <span className={styles.failed}>{t('selectSite.todosFailed')}</span>
      )}
      {badges.length > 0 && (
        <Badges
          site={site}
          badges={badges}
          headingLevel={headingLevel}
          isBlocked={isBlocked}
          onPress={() => setOneLine(false)}
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

interface BadgesProps extends Pick<SiteTodosProps, 'site' | 'headingLevel' | 'isBlocked'> {
  badges: readonly Badge[];
  /** A badge was pressed: its sheet needs a line that does not scroll. */
  onPress: () => void;
}

/** The badges under a heading for screen readers, and the sheet of the badge that was pressed. */
function Badges({ site, badges, headingLevel, isBlocked, onPress }: BadgesProps): ReactNode {
  const { t } = useLanguage();
  const headingId = useId();
  const Heading = `h${headingLevel}` as const;
  const heading = t('selectSite.awaitingReview');
  const [open, setOpen] = useState<Badge['type']>();
  const place = useRef<HTMLUListElement>(null);
  const close = useCallback(() => {
    // The sheet disappears with its button: the focus returns to the badge in front of it.
    if (place.current?.contains(document.activeElement))
      document.activeElement?.closest('li')?.querySelector('button')?.focus();
    setOpen(undefined);
  }, []);
  useDismissal(open !== undefined, place, close);
  return (
    <>
      {/* Read in a list of headings, it needs the name of the board. */}
      <Heading className={textStyles.hidden} id={headingId} aria-label={`${heading}, ${site.displayName}`}>
        {heading}
      </Heading>
      <ul className={isBlocked ? factStyles.facts : styles.badges} aria-labelledby={headingId} ref={place}>
        {badges.map((badge) => (
          <li key={badge.type}>
            {isBlocked ? (
              <BadgeText badge={badge} />
            ) : (
              <TodoBadge
                badge={badge}
                site={site}
                isOpen={badge.type === open}
                onPress={() => {
                  onPress();
                  setOpen(badge.type);
                }}
              />
            )}
          </li>
        ))}
      </ul>
    </>
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
  site: Site;
  isOpen: boolean;
  onPress: () => void;
}

/**
 * A kind of to-do with its count. A press is reported to the embedding page, does not select the site, and opens a sheet
 * that can.
 */
function TodoBadge({ badge, site, isOpen, onPress }: TodoBadgeProps): ReactNode {
  const { t } = useLanguage();
  const send = useSend();
  const tipId = useId();
  const sheetId = useId();
  const wordsId = useId();
  const [showsTip, setShowsTip] = useState(false);
  const { type, count, isCapped } = badge;
  const { displayName } = site;
  const hasTip = isCapped && type === 'questionnaire';

  const report = ({ currentTarget }: MouseEvent): void => {
    const detail = { type, site: displayName, count };
    currentTarget.dispatchEvent(new CustomEvent('todo-click', { detail, bubbles: true }));
    send({ type: 'TODO_CLICKED', todoType: type, site: displayName, count });
    onPress();
  };

  return (
    <>
      <span
        className={styles.place}
        onPointerEnter={() => setShowsTip(true)}
        onPointerLeave={() => setShowsTip(false)}
      >
        <button
          className={styles.badge}
          type="button"
          data-todo={type}
          aria-expanded={isOpen}
          aria-controls={isOpen ? sheetId : undefined}
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
      {isOpen && (
        <section
          className={styles.sheet}
          id={sheetId}
          aria-labelledby={wordsId}
          data-sheet=""
          ref={bringIntoView}
        >
          <p id={wordsId}>
            <RichText
              message="selectSite.todosAt"
              parts={{ toDos: <BadgeText badge={badge} />, site: displayName }}
            />
          </p>
          <Button variant="primary" onPress={() => send({ type: 'SELECT_SITE', site: site.name })}>
            <RichText message="selectSite.open" parts={{ site: displayName }} />
          </Button>
        </section>
      )}
    </>
  );
}
