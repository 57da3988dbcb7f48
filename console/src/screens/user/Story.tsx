import { Link } from 'react-router';
import type { Verdict as VerdictAnswer } from '../../../../identity/src/admin/obstacles.ts';
import type { Story, UserEntry } from '../../answers.ts';
import { paths } from '../../paths.ts';
import { currentLocale, findText, t, toKey } from '../../texts/texts.ts';
import { Button } from '../../ui/button/Button.tsx';
import { Note } from '../../ui/note/Note.tsx';
import { ProblemNote } from '../../ui/note/ProblemNote.tsx';
import { Section } from '../../ui/page/Page.tsx';
import { Cell, Row, Table } from '../../ui/table/Table.tsx';
import { formatTime, Time } from '../../ui/time/Time.tsx';
import { describeEvent } from '../../ui/event/describe-event.ts';
import { applyRemedy } from './remedies.ts';
import type { UserPage } from './use-user-page.ts';
import styles from './user.module.css';

/** The answer: the first obstacle of a sign-in, since when, and what helps. */
export function Verdict({ story: { verdict, obstacles }, page }: { story: Story; page: UserPage }) {
  const others = obstacles.filter(({ cause }) => cause !== verdict.cause);
  return (
    <section
      className={verdict.cause === 'none' ? styles.well : styles.verdict}
      aria-label={t('verdicts.title')}
      data-verdict={verdict.cause}
    >
      <p className={styles.sentence}>{describeVerdict(verdict)}</p>
      {describeTimes(verdict).map((line) => (
        <p key={line}>{line}</p>
      ))}
      {verdict.remedies.length > 0 && (
        <div className={styles.remedies}>
          {verdict.remedies.map((remedy, index) => (
            <Button
              key={remedy.name}
              variant={index === 0 ? 'primary' : 'secondary'}
              isPending={page.isRunning}
              remedy={remedy.name}
              opens={remedy.name}
              onPress={() => applyRemedy(remedy, page)}
            >
              {t(`remedies.${toKey(remedy.name)}`)}
            </Button>
          ))}
        </div>
      )}
      {page.doing === undefined && page.error && <ProblemNote error={page.error} />}
      {page.done !== undefined && (
        <Note kind="done" takesFocus>
          {page.done}
        </Note>
      )}
      {others.length > 0 && (
        <>
          <h2>{t('verdicts.alsoTrue')}</h2>
          <ul>
            {others.map((other) => (
              <li key={other.cause}>{[describeVerdict(other), ...describeTimes(other)].join(' ')}</li>
            ))}
          </ul>
        </>
      )}
    </section>
  );
}

/** The service's sentence has more facts, but is English. */
function describeVerdict({ cause, sentence }: VerdictAnswer): string {
  return currentLocale() === 'en' ? sentence : (findText(`verdicts.${toKey(cause)}`) ?? sentence);
}

function describeTimes({ since, until }: VerdictAnswer): string[] {
  return [
    ...(since === undefined ? [] : [t('verdicts.since', { time: formatTime(since) })]),
    ...(until === undefined ? [] : [t('verdicts.until', { time: formatTime(until) })]),
  ];
}

type EventsProps = { story: Story; entry: UserEntry; correlation: string };

export function Events({ story: { attempts, attempt: asked }, entry: { id }, correlation }: EventsProps) {
  const isOneAttempt = correlation !== '';
  return (
    <Section title={isOneAttempt ? t('user.thisAttempt') : t('user.latest')}>
      <Table
        label={t('user.latest')}
        titles={[t('events.time'), t('events.what'), t('events.site'), t('events.from'), t('user.attempt')]}
        empty={t('user.noEvents')}
      >
        {(asked ?? attempts).map((attempt) => (
          <Row
            key={`${attempt.at} ${attempt.event}`}
            name={attempt.correlationId}
            head={<Time at={attempt.at} />}
          >
            <Cell>
              <span className={attempt.result === 'failure' ? styles.failed : undefined}>
                {describeEvent(attempt)}
              </span>
            </Cell>
            <Cell>
              <bdi>{attempt.site}</bdi>
            </Cell>
            <Cell>
              <bdi>{attempt.address ?? attempt.connection}</bdi>
            </Cell>
            <Cell>
              {!isOneAttempt && (
                <Link to={paths.user(id, { correlation: attempt.correlationId })}>
                  {t('user.thisAttempt')}
                </Link>
              )}
            </Cell>
          </Row>
        ))}
      </Table>
      {isOneAttempt && <Link to={paths.user(id)}>{t('user.allAttempts')}</Link>}
    </Section>
  );
}
