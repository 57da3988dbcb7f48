import type { Log } from '../lib/log.ts';
import type { Clock } from '../lib/clock.ts';
import { DeliveryError } from '../lib/delivery-error.ts';
import type { Random } from '../lib/random.ts';
import type { Database, DatabaseTransaction } from '../store/schema.ts';
import type { Mail, Messages } from './messages.ts';
import { countNotices, forgetNotice, keepNotice, takeDueNotices } from './notices-store.ts';
import type { DueNotice } from './notices-store.ts';

/** `put-off`: it is tried again later. `given-up`: it is too late. `refused`: there is nobody, or nobody will take it. */
export type NoticeOutcome = 'sent' | 'put-off' | 'given-up' | 'refused';

/**
 * Mails that tell somebody of what has happened to their account, and that must not get lost: kept in the database, sent at
 * least once, tried again with growing waits.
 */
export type Notices = {
  /** In the transaction of what it tells of. `sendDue` afterwards makes it leave at once. */
  keep: (mail: Mail, transaction: DatabaseTransaction) => Promise<void>;
  /** Sends what is due; nobody waits for it. */
  sendDue: () => void;
  /** Resolves once nothing is being sent any more. */
  settle: () => Promise<void>;
};

type Needed = {
  database: Database;
  clock: Clock;
  random: Random;
  log: Log;
  mail: Messages['mail'];
  count: (outcome: NoticeOutcome) => void;
  setWaiting: (count: number) => void;
};

const atOnce = 20;

export function createNotices({ database, clock, random, log, mail, count, setWaiting }: Needed): Notices {
  let underWay: Promise<void> | undefined;
  /** More may have become due since the last look. */
  let isAskedAgain = false;

  async function sendOne({ id, mail: message, attempts, givenUpAt }: DueNotice): Promise<void> {
    const outcome = await mail.send({ ...message, id }).then(
      (): NoticeOutcome => 'sent',
      (error: unknown) => {
        const next = afterFailure(error, givenUpAt, clock.now());
        log.warn({ err: error, noticeId: id, attempts, outcome: next }, 'a notice was not delivered');
        return next;
      },
    );
    count(outcome);
    if (outcome !== 'put-off') await forgetNotice(database, id);
  }

  async function sendAllDue(): Promise<void> {
    let due: DueNotice[];
    do {
      isAskedAgain = false;
      due = await takeDueNotices(database, clock.now(), atOnce);
      // one after the other: a mail server that is slow is not helped by twenty
      for (const notice of due) await sendOne(notice);
    } while (due.length > 0 || isAskedAgain);
    setWaiting(await countNotices(database));
  }

  return {
    keep: (message, transaction) =>
      keepNotice(transaction, { id: random.token(16), mail: message }, clock.now()),
    sendDue() {
      isAskedAgain = true;
      underWay ??= sendAllDue()
        .catch((error: unknown) => log.warn({ err: error }, 'notices could not be sent'))
        .finally(() => (underWay = undefined));
    },
    async settle() {
      while (underWay !== undefined) await underWay;
    },
  };
}

/** What cannot be delivered to that address, or at all, is not tried again; everything else is, until it is too late. */
function afterFailure(error: unknown, givenUpAt: Date, now: Date): NoticeOutcome {
  if (error instanceof DeliveryError && error.failure !== 'unavailable') return 'refused';
  return now >= givenUpAt ? 'given-up' : 'put-off';
}
