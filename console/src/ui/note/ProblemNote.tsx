import { useEffect, useState } from 'react';
import { useRevalidator } from 'react-router';
import type { ProblemError } from '../../api.ts';
import { serviceAddresses } from '../../paths.ts';
import { confirmedPath, listenForProof } from '../../proof.ts';
import { currentLocale, t } from '../../texts/texts.ts';
import { describeReason } from '../form/reasons.ts';
import { Note } from './Note.tsx';
import styles from './note.module.css';

type ProblemNoteProps = {
  error: ProblemError;
  /** Pointers of the fields that show their own errors. */
  shownAt?: readonly string[];
};

/** Why the service refused, in words for its reader, with the id under which support finds it. */
export function ProblemNote({ error, shownAt = [] }: ProblemNoteProps) {
  const { correlationId } = error.problem;
  if (error.kind === 'proof-required' || error.kind === 'sign-in-required')
    return <ProofNote error={error} />;
  return (
    <Note kind="error">
      {linesOf(error, shownAt).map((line) => (
        <p key={line}>{line}</p>
      ))}
      {correlationId !== '' && (
        <small className={styles.reference}>{t('problem.reference', { id: correlationId })}</small>
      )}
    </Note>
  );
}

/** The proof happens in another tab, so that this one keeps what was typed. */
function ProofNote({ error }: { error: ProblemError }) {
  const { revalidate } = useRevalidator();
  const [proved, setProved] = useState<ProblemError>();
  useEffect(
    () =>
      listenForProof(() => {
        setProved(error);
        void revalidate();
      }),
    [error, revalidate],
  );
  if (proved === error)
    return (
      <Note kind="done" takesFocus>
        {t('problem.confirmed')}
      </Note>
    );
  return (
    <Note kind="error">
      {linesOf(error, []).map((line) => (
        <p key={line}>{line}</p>
      ))}
      <a href={serviceAddresses.proof(confirmedPath)} target="_blank" rel="opener">
        {t('problem.confirmInTab')}
      </a>
    </Note>
  );
}

const texts = {
  unreachable: 'problem.unreachable',
  missing: 'problem.missing',
  changed: 'problem.changed',
  'proof-required': 'problem.proof',
  'sign-in-required': 'problem.signedOut',
  'too-many-requests': 'problem.tooMany',
  unavailable: 'problem.busy',
} as const;

function linesOf(error: ProblemError, shownAt: readonly string[]): string[] {
  const { errors = [], detail, title } = error.problem;
  const { kind } = error;
  if (kind in texts) return [t(texts[kind as keyof typeof texts])];
  const others = errors.filter(({ pointer }) => pointer === undefined || !shownAt.includes(pointer));
  if (others.length > 0) return [...new Set(others.map(describeReason))];
  if (errors.length > 0) return [t('problem.fields')];
  if (kind === 'forbidden') return [t('problem.forbidden')];
  return [currentLocale() === 'en' ? (detail ?? title) : t('problem.title')];
}
