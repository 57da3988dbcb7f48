import { Children, useEffect, useEffectEvent, useId, useLayoutEffect, useRef, useState } from 'react';
import type { ReactNode } from 'react';
import type { PresentAccount } from '../../api/account-client.ts';
import type { MessageKey } from '../../i18n/keys.ts';
import { useLanguage } from '../../i18n/language.ts';
import { Alert } from '../../ui/alert/Alert.tsx';
import { InlineIcon } from '../../ui/icon/InlineIcon.tsx';
import type { FrameAction } from '../../ui/link/action.ts';
import { VisuallyHidden } from '../../ui/text/LiveRegion.tsx';
import factStyles from '../../ui/text/facts.module.css';
import { failureParameters } from '../failure-message.ts';
import { useAccount } from './account-context.ts';
import styles from './account.module.css';

/** A group of rows under its heading. */
export function Group({ heading, children }: { heading: string; children: ReactNode }): ReactNode {
  const id = useId();
  return (
    <section className={styles.group} aria-labelledby={id}>
      <h2 className={styles.heading} id={id}>
        {heading}
      </h2>
      <ul>{children}</ul>
    </section>
  );
}

/** A button or link at the end of a row. */
export interface RowAction {
  action: FrameAction;
  label: string;
  /** Distinguishes buttons with the same label for screen readers. */
  of?: string;
  href?: string;
  onPress?: () => void;
}

/** The removal of a second factor, which asks in place before it happens. */
export interface Removal {
  /** A site of the user requires the factor: the row says so instead. */
  isForbidden: boolean;
  action: FrameAction;
  label: string;
  of?: string;
  question: MessageKey;
  onConfirm: () => Promise<unknown>;
}

interface RowProps {
  /** Names the row of a change (`use-changes.ts`). */
  id: string;
  title: ReactNode;
  /** Whether the row belongs to the one above it. */
  isChild?: boolean;
  /** Short facts, which are shown in one line. */
  facts?: readonly ReactNode[];
  actions?: readonly RowAction[];
  /** A control at the end of the row, instead of actions. */
  control?: ReactNode;
  removal?: Removal | undefined;
  /** Shown below in place of the actions. */
  form?: ReactNode;
  children?: ReactNode;
}

/** A row of the account page: a title, its state, its action at the end, and the message about its last change. */
export function Row({
  id,
  title,
  isChild = false,
  facts = [],
  actions = [],
  control,
  removal: wished,
  form,
  children,
}: RowProps): ReactNode {
  const { t } = useLanguage();
  const { changes } = useAccount();
  // A form of the row and the question of its removal are never open together.
  const removal = wished?.isForbidden === true || form !== undefined ? undefined : wished;
  const Title = isChild ? 'h4' : 'h3';
  const [isAsking, setAsking] = useState(false);
  const place = useRef<HTMLLIElement>(null);
  const end = useRef<HTMLDivElement>(null);
  const removalButton = useRef<HTMLButtonElement>(null);
  const asked = isAsking ? removal : undefined;
  useFocusAfter(asked !== undefined, () => removalButton.current ?? place.current);
  useFocusAfter(form !== undefined, () => end.current?.querySelector('button') ?? place.current);
  useRescuedFocus(changes.row === id ? changes.occurrence : 0, place);

  const confirm = async (): Promise<void> => {
    await removal?.onConfirm();
    setAsking(false);
  };
  return (
    <li
      className={isChild ? `${styles.row} ${styles.child}` : styles.row}
      data-row={id}
      tabIndex={-1}
      ref={place}
    >
      <div>
        <Title className={styles.title}>{title}</Title>
        <div className={factStyles.facts}>
          {Children.map(facts, (fact) => (
            <span>{fact}</span>
          ))}
          {wished?.isForbidden === true && <span>{t('account.needed')}</span>}
          {removal && (
            <span>
              <button
                className={styles.remove}
                type="button"
                data-action={removal.action}
                aria-expanded={isAsking}
                onClick={() => setAsking(true)}
                ref={removalButton}
              >
                <span>{removal.label}</span>
                {removal.of !== undefined && <VisuallyHidden>{` ${removal.of}`}</VisuallyHidden>}
              </button>
            </span>
          )}
        </div>
      </div>
      <div className={styles.end} ref={end}>
        {form === undefined &&
          !asked &&
          (control ?? actions.map((one) => <EndButton {...one} key={one.action} />))}
      </div>
      {asked && (
        <Question
          question={asked.question}
          onConfirm={() => void confirm()}
          onKeep={() => setAsking(false)}
        />
      )}
      <RowMessage id={id} />
      {(form !== undefined || children !== undefined) && (
        <div className={styles.below}>
          {form}
          {children}
        </div>
      )}
    </li>
  );
}

function EndButton({ action, label, of, href, onPress }: RowAction): ReactNode {
  const content = (
    <>
      <span>{label}</span>
      {of !== undefined && <VisuallyHidden>{` ${of}`}</VisuallyHidden>}
    </>
  );
  return href === undefined ? (
    <button className={styles.button} type="button" data-action={action} onClick={onPress}>
      {content}
    </button>
  ) : (
    <a className={styles.button} href={href} data-action={action}>
      {content}
    </a>
  );
}

/** Asks before a removal. The pressed link stays where it is, so that a second click cannot confirm. */
function Question({
  question,
  onConfirm,
  onKeep,
}: {
  question: MessageKey;
  onConfirm: () => void;
  onKeep: () => void;
}): ReactNode {
  const { t } = useLanguage();
  const { account, changes } = useAccount();
  const id = useId();
  const text = useRef<HTMLDivElement>(null);
  const keep = useEffectEvent(onKeep);
  useEffect(() => {
    text.current?.focus();
    const keepOnEscape = ({ key }: KeyboardEvent): void => {
      if (key === 'Escape') keep();
    };
    document.addEventListener('keydown', keepOnEscape);
    return () => document.removeEventListener('keydown', keepOnEscape);
  }, []);
  return (
    <form
      className={styles.question}
      aria-labelledby={id}
      onSubmit={(event) => {
        event.preventDefault();
        onConfirm();
      }}
    >
      <div id={id} tabIndex={-1} ref={text}>
        <p>{t(question)}</p>
        {hasOneFactor(account) && <p>{t('account.passwordAlone')}</p>}
      </div>
      <button
        className={`${styles.button} ${styles.danger}`}
        type="submit"
        aria-disabled={changes.isSending || undefined}
      >
        {t('account.remove')}
      </button>
      <button className={styles.button} type="button" data-action="cancel" onClick={onKeep}>
        {t('account.keep')}
      </button>
    </form>
  );
}

/** Whether the removal of a factor leaves the user with a password alone. */
function hasOneFactor({ password, passkeys = [], authenticatorApp, phoneNumber }: PresentAccount): boolean {
  return password !== undefined && [...passkeys, authenticatorApp, phoneNumber].filter(Boolean).length === 1;
}

/** The message about the last change of the row. A success is announced by the frame of the page. */
function RowMessage({ id }: { id: string }): ReactNode {
  const { t } = useLanguage();
  const { row, done, failure, occurrence } = useAccount().changes;
  const isOwn = row === id;
  return (
    <div className={styles.message}>
      {isOwn && done && (
        <p className={styles.done} data-banner="info">
          <InlineIcon name="check" />
          {t(done)}
        </p>
      )}
      <Alert
        message={isOwn && failure ? t(failure, failureParameters) : undefined}
        occurrence={isOwn ? occurrence : 0}
      />
    </div>
  );
}

/** Moves the focus when something that contained it has closed. */
function useFocusAfter(isOpen: boolean, target: () => HTMLElement | null): void {
  const wasOpen = useRef(false);
  useLayoutEffect(() => {
    if (wasOpen.current && !isOpen) target()?.focus();
    wasOpen.current = isOpen;
  });
}

/** Keeps the focus on the page if the changed element has disappeared, for example with its row. */
function useRescuedFocus(occurrence: number, place: { readonly current: HTMLElement | null }): void {
  useLayoutEffect(() => {
    if (occurrence > 0 && document.activeElement === document.body) place.current?.focus();
  }, [occurrence, place]);
}
