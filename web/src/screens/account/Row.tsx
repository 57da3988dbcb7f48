import { Children, useEffect, useId, useLayoutEffect, useRef, useState } from 'react';
import type { ReactNode } from 'react';
import type { PresentAccount } from '../../api/account-client.ts';
import type { MessageKey } from '../../i18n/keys.ts';
import { useLanguage } from '../../i18n/language.ts';
import { Alert } from '../../ui/alert/Alert.tsx';
import { bringIntoView } from '../../ui/bring-into-view.ts';
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

/** A change that asks in place before it happens. */
interface Confirmation {
  question: MessageKey;
  /** The label of the button that confirms. */
  confirm: MessageKey;
  onConfirm: () => Promise<unknown>;
}

/** A button or link at the end of a row. */
export interface RowAction {
  action: FrameAction;
  label: string;
  /** Distinguishes buttons with the same label for screen readers. */
  of?: string;
  href?: string;
  onPress?: () => void;
  /** Asked instead of `onPress`. */
  confirmation?: Confirmation;
}

/** The removal of a second factor. */
interface Removal extends Confirmation {
  /** A site of the user requires the factor: the row says so instead. */
  isForbidden: boolean;
  action: FrameAction;
  label: string;
  of?: string;
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
  const { account, changes } = useAccount();
  // A form of the row and the question of its removal are never open together.
  const removal = wished?.isForbidden === true || form !== undefined ? undefined : wished;
  const Title = isChild ? 'h4' : 'h3';
  const [asking, setAsking] = useState<FrameAction>();
  const place = useRef<HTMLLIElement>(null);
  const heading = useRef<HTMLHeadingElement>(null);
  const end = useRef<HTMLDivElement>(null);
  /** The button that has opened the question. */
  const opener = useRef<HTMLElement>(null);
  const factsId = useId();
  const describedBy = facts.map((_, index) => `${factsId}-${index}`).join(' ') || undefined;
  const asked =
    asking === removal?.action ? removal : actions.find(({ action }) => action === asking)?.confirmation;
  useFocusAfter(asked !== undefined, () => (opener.current?.isConnected ? opener.current : heading.current));
  useFocusAfter(form !== undefined, () => end.current?.querySelector('button') ?? heading.current);
  useRescuedFocus(changes.row === id ? changes.occurrence : 0, heading);
  useCancelOnEscape(place);

  const ask = (action: FrameAction, button: HTMLElement): void => {
    opener.current = button;
    setAsking(action);
  };
  const confirm = async (): Promise<void> => {
    await asked?.onConfirm();
    setAsking(undefined);
  };
  return (
    <li className={isChild ? `${styles.row} ${styles.child}` : styles.row} data-row={id} ref={place}>
      <div className={styles.line}>
        <div>
          <Title className={styles.title} tabIndex={-1} ref={heading}>
            {title}
          </Title>
          <div className={factStyles.facts}>
            {Children.map(facts, (fact, index) => (
              <span id={`${factsId}-${index}`}>{fact}</span>
            ))}
            {wished?.isForbidden === true && <span>{t('account.needed')}</span>}
            {removal && (
              <span>
                <button
                  className={styles.remove}
                  type="button"
                  data-action={removal.action}
                  aria-expanded={asked === removal}
                  aria-describedby={removal.of && describedBy}
                  onClick={({ currentTarget }) => ask(removal.action, currentTarget)}
                >
                  <Label {...removal} />
                </button>
              </span>
            )}
          </div>
        </div>
        <div className={styles.end} ref={end}>
          {form === undefined &&
            (control ??
              actions
                // A pressed button stays, so that a second click cannot confirm.
                .filter(({ action }) => !asked || action === asking)
                .map((one) => (
                  <EndButton
                    {...one}
                    describedBy={one.of && describedBy}
                    isAsking={asked !== undefined}
                    onAsk={(button) => ask(one.action, button)}
                    key={one.action}
                  />
                )))}
        </div>
      </div>
      {asked && (
        <Question
          {...asked}
          isOfLastFactor={asked === removal && hasOneFactor(account)}
          cancel={asked === removal ? 'account.keep' : 'common.cancel'}
          onConfirm={confirm}
          onCancel={() => setAsking(undefined)}
        />
      )}
      <RowMessage id={id} isOld={asked !== undefined} />
      {(form !== undefined || children !== undefined) && (
        <div className={styles.below}>
          {form !== undefined && (
            <div data-form="" ref={bringIntoView}>
              {form}
            </div>
          )}
          {children}
        </div>
      )}
    </li>
  );
}

interface EndButtonProps extends RowAction {
  describedBy: string | undefined;
  isAsking: boolean;
  onAsk: (button: HTMLElement) => void;
}

function EndButton(props: EndButtonProps): ReactNode {
  const { action, href, onPress, confirmation, describedBy, isAsking, onAsk } = props;
  return href === undefined ? (
    <button
      className={styles.button}
      type="button"
      data-action={action}
      aria-expanded={confirmation && isAsking}
      aria-describedby={describedBy}
      onClick={confirmation ? ({ currentTarget }) => onAsk(currentTarget) : onPress}
    >
      <Label {...props} />
    </button>
  ) : (
    <a className={styles.button} href={href} data-action={action} aria-describedby={describedBy}>
      <Label {...props} />
    </a>
  );
}

function Label({ label, of }: Pick<RowAction, 'label' | 'of'>): ReactNode {
  return (
    <>
      <span>{label}</span>
      {of !== undefined && <VisuallyHidden>{` ${of}`}</VisuallyHidden>}
    </>
  );
}

interface QuestionProps extends Confirmation {
  /** The label of the button that changes nothing. */
  cancel: MessageKey;
  /** Then only the password protects the account, which the question says. */
  isOfLastFactor: boolean;
  onCancel: () => void;
}

function Question(props: QuestionProps): ReactNode {
  const { question, confirm, cancel, isOfLastFactor, onConfirm, onCancel } = props;
  const { t } = useLanguage();
  const { isSending } = useAccount().changes;
  const id = useId();
  const text = useRef<HTMLDivElement>(null);
  useEffect(() => text.current?.focus(), []);
  return (
    <form
      className={styles.question}
      aria-labelledby={id}
      onSubmit={(event) => {
        event.preventDefault();
        void onConfirm();
      }}
    >
      <div id={id} tabIndex={-1} ref={text}>
        <p>{t(question)}</p>
        {isOfLastFactor && <p>{t('account.passwordAlone')}</p>}
      </div>
      <button
        className={`${styles.button} ${styles.danger}`}
        type="submit"
        aria-disabled={isSending || undefined}
      >
        {t(confirm)}
      </button>
      <button className={styles.button} type="button" data-action="cancel" onClick={onCancel}>
        {t(cancel)}
      </button>
    </form>
  );
}

/** Whether the removal of a factor leaves the user with a password alone. */
function hasOneFactor({ password, passkeys = [], authenticatorApp, phoneNumber }: PresentAccount): boolean {
  return password !== undefined && [...passkeys, authenticatorApp, phoneNumber].filter(Boolean).length === 1;
}

/**
 * The message about the last change of the row, until the row asks about the next one. A success is announced by the
 * frame of the page.
 */
function RowMessage({ id, isOld }: { id: string; isOld: boolean }): ReactNode {
  const { t } = useLanguage();
  const { row, done, failure, occurrence } = useAccount().changes;
  const isOwn = row === id && !isOld;
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

/** Matches what the user could not enter or see again after Escape: a requested code, and recovery codes. */
const unrepeatable = '[name="code-1"], [data-recovery-codes]';

/** Escape presses the cancel button of the form or question that is open in the row. */
function useCancelOnEscape(place: { readonly current: HTMLElement | null }): void {
  useEffect(() => {
    const row = place.current;
    const cancel = ({ key, isComposing }: KeyboardEvent): void => {
      if (key !== 'Escape' || isComposing || row?.querySelector(unrepeatable)) return;
      row?.querySelector<HTMLElement>('[data-action="cancel"]')?.click();
    };
    row?.addEventListener('keydown', cancel);
    return () => row?.removeEventListener('keydown', cancel);
  }, [place]);
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
