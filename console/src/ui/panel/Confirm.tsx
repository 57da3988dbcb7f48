import { useEffect } from 'react';
import type { ReactNode } from 'react';
import { useRevalidator } from 'react-router';
import type { ProblemError } from '../../api.ts';
import { t } from '../../texts/texts.ts';
import { Button } from '../button/Button.tsx';
import { ProblemNote } from '../note/ProblemNote.tsx';
import { Panel } from './Panel.tsx';
import styles from './panel.module.css';

type ConfirmProps = {
  title: string;
  children: ReactNode;
  confirmLabel: string;
  onConfirm: () => void;
  onCancel: () => void;
  isRunning: boolean;
  error: ProblemError | undefined;
};

/** Asks in place before something that cannot be undone. */
export function Confirm({
  title,
  children,
  confirmLabel,
  onConfirm,
  onCancel,
  isRunning,
  error,
}: ConfirmProps) {
  const { revalidate } = useRevalidator();
  useEffect(() => {
    // Nothing is typed here, so the next press is about the entry as it is now.
    if (error?.kind === 'changed') void revalidate();
  }, [error, revalidate]);
  return (
    <Panel title={title} onCancel={onCancel}>
      {error && <ProblemNote error={error} />}
      {children}
      <div className={styles.buttons}>
        <Button variant="danger" onPress={onConfirm} isPending={isRunning}>
          {confirmLabel}
        </Button>
        <Button variant="quiet" onPress={onCancel}>
          {t('forms.cancel')}
        </Button>
      </div>
    </Panel>
  );
}
