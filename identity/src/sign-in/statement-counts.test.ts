import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { portal, startApplication } from '../../testing/application.ts';
import type { TestApplication } from '../../testing/application.ts';
import type { Answer } from '../../testing/browser.ts';
import { countStatements } from '../../testing/count-statements.ts';
import type { CountedDatabase } from '../../testing/count-statements.ts';
import { describeStore } from '../../testing/describe-store.ts';
import { redeem, secretary, sendPassword } from '../../testing/journeys.ts';
import { listMessages } from '../../testing/outbox.ts';
import { director } from '../../testing/passkey-visits.ts';
import { authorizeAddress } from '../../testing/relying-party.ts';

describeStore('statements of a code flow', (store, kind) => {
  let application: TestApplication;
  let counted: CountedDatabase;
  beforeAll(async () => {
    counted = countStatements(store().database);
    application = await startApplication(counted.database);
  });
  afterAll(() => application.close());

  /** Runs a code flow of a user with a new browser, and returns the statements of each request. */
  async function measureCodeFlow(user = secretary): Promise<Record<string, string[]>> {
    const statements: Record<string, string[]> = {};
    const count = async (name: string, status: number, send: () => Promise<Answer>): Promise<Answer> => {
      counted.reset();
      const answer = await send();
      // Clients are cached for a few seconds, so their statements are not counted.
      statements[name] = counted.statements().filter((sql) => !sql.includes('from "clients"'));
      expect(answer.status, answer.text).toBe(status);
      return answer;
    };
    const leadsTo = (answer: Answer): URL =>
      new URL(answer.headers['location'] ?? '', application.services.config.publicUrl);

    const browser = application.openBrowser();
    const request = authorizeAddress(portal);
    const page = leadsTo(await count('authorize', 303, () => browser.visit(request.address)));
    const returnUrl = page.searchParams.get('ReturnUrl') ?? '';
    await count('auth-context', 200, () => browser.call('/api/ui/auth-context', { returnUrl }));
    let finished = await count('authenticate', 200, () => sendPassword(browser, { returnUrl }, user));
    if (finished.json()['status'] === 'second_factor_required') {
      const sent = (await listMessages(store().database, 'sms')).at(-1)?.text ?? '';
      const code = /#(\d{6})$/.exec(sent)?.[1];
      const verify = () => browser.post('/api/ui/verify-mfa-code', { returnUrl, code });
      finished = await count('verify-mfa-code', 200, verify);
      // The next message to this user needs no wait. The clock would also empty caches.
      await store().database.deleteFrom('code_messages').execute();
    }
    const resumed = leadsTo(
      await count('resume', 303, () => browser.visit(String(finished.json()['location']))),
    );
    const code = resumed.searchParams.get('code') ?? '';
    await count('token', 200, () => redeem(application, { ...request, code }));
    return statements;
  }

  test.each([
    ['a password', secretary, { authenticate: 3 }],
    ['a password and a code', director, { authenticate: 12, 'verify-mfa-code': 10 }],
  ])('a code flow with %s needs no more statements than these', async (_, user, steps) => {
    // The first flow fills the caches, for example of registered applications.
    await measureCodeFlow(user);
    const statements = await measureCodeFlow(user);
    const counts = Object.fromEntries(Object.entries(statements).map(([name, sent]) => [name, sent.length]));
    expect(counts, JSON.stringify(statements, undefined, 2)).toEqual({
      authorize: 3,
      'auth-context': 1,
      ...steps,
      resume: 2,
      token: 2,
    });
  });

  // The setting is for one connection, and only the embedded database has one.
  test.runIf(kind === 'PGlite')('every statement of a code flow finds its rows with an index', async () => {
    const { database } = store();
    const countWholeReads = async (): Promise<unknown[]> => {
      await sql`select pg_stat_force_next_flush()`.execute(database);
      const query = sql`select relname, seq_scan from pg_stat_user_tables where seq_scan > 0 order by relname`;
      return (await query.execute(database)).rows;
    };
    await measureCodeFlow();
    // A table is then read whole only by a statement that can use none of its indexes.
    await sql`set enable_seqscan = off`.execute(database);
    const before = await countWholeReads();
    await measureCodeFlow();
    const after = await countWholeReads();
    await sql`reset enable_seqscan`.execute(database);
    expect(after).toEqual(before);
  });

  // The plans of the embedded database are always generic.
  test.runIf(kind === 'PostgreSQL')('no statement of a code flow is planned for each execution', async () => {
    const { database } = store();
    // As in production, looking up a key costs less than reading the table.
    await sql`insert into limits (key, used, expires_at)
      select 'filling ' || number, 0, now() + interval '1 hour' from generate_series(1, 5000) as number`.execute(
      database,
    );
    await sql`analyze limits`.execute(database);
    // PostgreSQL compares the costs of a generic plan with those of the first five plans.
    for (let flow = 0; flow < 8; flow += 1) await measureCodeFlow();
    const { rows } = await sql`select statement from pg_prepared_statements where custom_plans > 5`.execute(
      database,
    );
    await sql`delete from limits where key like 'filling %'`.execute(database);
    expect(rows).toEqual([]);
  });
});
