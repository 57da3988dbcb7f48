import type { Database } from '../src/store/schema.ts';

/** The messages of the outbox, oldest first. */
export function listMessages(database: Database, kind: 'sms' | 'mail') {
  return database.selectFrom('outbox').selectAll().where('kind', '=', kind).orderBy('number').execute();
}

/** The code in the latest text message. */
export async function latestCode(database: Database): Promise<string> {
  const code = /#(\d{6})$/.exec((await listMessages(database, 'sms')).at(-1)?.text ?? '')?.[1];
  if (code === undefined) throw new Error('There is no code in the latest text message');
  return code;
}
