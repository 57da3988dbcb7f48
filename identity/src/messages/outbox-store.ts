import { hasControlCharacter } from '../lib/control-characters.ts';
import type { Database } from '../store/schema.ts';
import type { StoreContext } from '../store/store-context.ts';
import type { Mail, Sender, Sms } from './messages.ts';

export type OutboxMessage = {
  id: string;
  kind: 'sms' | 'mail';
  to: string;
  subject: string | undefined;
  text: string;
  html: string | undefined;
  createdAt: Date;
};

/** The page shows only the latest messages, because a load test can leave ten thousand. */
const shownCount = 200;

type Needed = Pick<StoreContext, 'database' | 'clock'>;

/** Stores messages in a table instead of sending them. Never in production: the table contains all codes in plain text. */
export function createOutboxSms({ database, clock }: Needed): Sender<Sms> {
  return {
    async send({ id, to, text }) {
      await database
        .insertInto('outbox')
        .values({ id, kind: 'sms', recipient: to, text, created_at: clock.now() })
        .execute();
    },
  };
}

export function createOutboxMail({ database, clock }: Needed): Sender<Mail> {
  return {
    async send({ id, to, subject, text, html }) {
      await database
        .insertInto('outbox')
        .values({ id, kind: 'mail', recipient: to, subject, text, html, created_at: clock.now() })
        .execute();
    },
  };
}

/** Newest first. */
export async function listOutbox(database: Database): Promise<OutboxMessage[]> {
  const rows = await database
    .selectFrom('outbox')
    .selectAll()
    .orderBy('number', 'desc')
    .limit(shownCount)
    .execute();
  return rows.map((row) => ({
    id: row.id,
    kind: row.kind,
    to: row.recipient,
    subject: row.subject ?? undefined,
    text: row.text,
    html: row.html ?? undefined,
    createdAt: row.created_at,
  }));
}

/** Finds the HTML of an e-mail; undefined for any other message. */
export async function findOutboxHtml(database: Database, id: string): Promise<string | undefined> {
  if (hasControlCharacter(id)) return undefined;
  const row = await database.selectFrom('outbox').select('html').where('id', '=', id).executeTakeFirst();
  return row?.html ?? undefined;
}
