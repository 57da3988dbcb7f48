import { createBackgroundRun } from '../lib/background-run.ts';
import type { Log } from '../lib/log.ts';
import { DeliveryError } from '../lib/delivery-error.ts';
import { countAttempt } from '../store/backoff.ts';
import type { Database, DatabaseTransaction } from '../store/schema.ts';
import { addSeconds } from '../lib/clock.ts';
import type { StoreContext } from '../store/store-context.ts';
import type { Mail, Messages } from './messages.ts';

/**
 * `put-off`: the service retries later. `given-up`: too much time has passed. `refused`: the address is invalid, or the
 * server rejects the mail.
 */
export type NoticeOutcome = 'sent' | 'put-off' | 'given-up' | 'refused';

/** E-mails about account changes, which must not get lost: stored in the database, sent at least once, retried with growing intervals. */
export type Notices = {
  /** Stores a notice in the transaction of the change. Call `sendDue` afterwards to send it at once. */
  keep: (mail: Mail, transaction: DatabaseTransaction) => Promise<void>;
  /** Sends the due notices in the background. */
  sendDue: () => void;
  /** Resolves when no notice is being sent. */
  settle: () => Promise<void>;
};

type Needed = Omit<StoreContext, 'keyRing'> & {
  log: Log;
  mail: Messages['mail'];
  count: (outcome: NoticeOutcome) => void;
  setWaiting: (count: number) => void;
};

const atOnce = 20;

export function createNotices({ database, clock, random, log, mail, count, setWaiting }: Needed): Notices {
  async function sendOne({ id, mail: message, attempts, givenUpAt }: DueNotice): Promise<void> {
    const outcome = await mail.send({ ...message, id }).then(
      (): NoticeOutcome => 'sent',
      (error: unknown) => {
        const next = afterFailure(error, givenUpAt, clock.now());
        log.warn({ err: error, noticeId: id, attempts, outcome: next }, 'the notice was not delivered');
        return next;
      },
    );
    count(outcome);
    if (outcome !== 'put-off') await forgetNotice(database, id);
  }

  async function sendDue(): Promise<boolean> {
    const due = await takeDueNotices(database, clock.now(), atOnce);
    // sequentially, because parallel connections do not help a slow mail server
    for (const notice of due) await sendOne(notice);
    if (due.length === 0) setWaiting(await countNotices(database));
    return due.length > 0;
  }

  const run = createBackgroundRun(sendDue, (error) => log.warn({ err: error }, 'notices could not be sent'));
  return {
    keep: (message, transaction) =>
      storeNotice(transaction, { id: random.token(16), mail: message }, clock.now()),
    sendDue: run.start,
    settle: run.settle,
  };
}

/** Permanent failures are not retried. Other failures are retried until `givenUpAt`. */
function afterFailure(error: unknown, givenUpAt: Date, now: Date): NoticeOutcome {
  if (error instanceof DeliveryError && error.failure !== 'unavailable') return 'refused';
  return now >= givenUpAt ? 'given-up' : 'put-off';
}

/** A notice that is due. */
type DueNotice = { id: string; mail: Mail; attempts: number; givenUpAt: Date };

/** After this time a notice is useless: users must learn of a changed password soon. */
const keptSeconds = 12 * 60 * 60;
const waits = { firstSeconds: 60, longestSeconds: 60 * 60 };

/** Stores a notice in the transaction of the change that it reports. */
async function storeNotice(
  transaction: DatabaseTransaction,
  { id, mail }: { id: string; mail: Mail },
  now: Date,
): Promise<void> {
  await transaction
    .insertInto('notices')
    .values({
      id,
      recipient: mail.to,
      subject: mail.subject,
      text: mail.text,
      html: mail.html,
      next_attempt_at: now,
      given_up_at: addSeconds(now, keptSeconds),
    })
    .execute();
}

/**
 * Takes the due notices, oldest first. The same statement postpones each of them, so that only one of several nodes
 * sends it. If that node stops, another node retries, so each notice is sent at least once.
 */
async function takeDueNotices(database: Database, now: Date, most: number): Promise<DueNotice[]> {
  const rows = await database
    .updateTable('notices')
    .set(countAttempt(now, waits))
    .where('id', 'in', (due) =>
      due
        .selectFrom('notices')
        .select('id')
        .where('next_attempt_at', '<=', now)
        .orderBy('next_attempt_at')
        .limit(most)
        .forUpdate()
        .skipLocked(),
    )
    .returningAll()
    .execute();
  return rows.map(({ id, recipient, subject, text, html, attempts, given_up_at }) => ({
    id,
    mail: { to: recipient, subject, text, ...(html !== null && { html }) },
    attempts,
    givenUpAt: given_up_at,
  }));
}

/** Deletes a notice that was sent or given up. */
async function forgetNotice(database: Database, id: string): Promise<void> {
  await database.deleteFrom('notices').where('id', '=', id).execute();
}

async function countNotices(database: Database): Promise<number> {
  const { count } = await database
    .selectFrom('notices')
    .select((select) => select.fn.countAll<string>().as('count'))
    .executeTakeFirstOrThrow();
  return Number(count);
}
