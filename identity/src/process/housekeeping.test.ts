import { expect, test } from 'vitest';
import { addUser } from '../../testing/add-user.ts';
import { portal } from '../../testing/application.ts';
import { signIn } from '../../testing/journeys.ts';
import { beginSignIn } from '../../testing/relying-party.ts';
import { useApplication } from '../../testing/use-application.ts';
import { tidyUp, warnOfCodeBudgets } from './housekeeping.ts';

const application = useApplication();
const daySeconds = 24 * 3600;

async function countRows(): Promise<Record<string, number>> {
  const { database } = application().services;
  const tables = ['sessions', 'sign_ins', 'sign_outs', 'openid_records', 'error_records', 'limits'] as const;
  const counts: Record<string, number> = {};
  for (const table of tables) {
    const { count } = await database
      .selectFrom(table)
      .select((select) => select.fn.countAll().as('count'))
      .executeTakeFirstOrThrow();
    counts[table] = Number(count);
  }
  return counts;
}

test('unfinished actions of visitors are eventually deleted from every table [S67]', async () => {
  for (let visitor = 0; visitor < 30; visitor += 1) {
    const browser = application().openBrowser();
    const { returnUrl } = await beginSignIn(browser, portal);
    await browser.post('/api/ui/authenticate', {
      returnUrl,
      site: 'harbor',
      userName: `nobody-${visitor}@demo.example`,
      password: 'wrong wrong wrong',
    });
    await browser.visit('/connect/authorize?client_id=nobody');
    await browser.visit('/connect/session/end');
  }
  const signedIn = application().openBrowser();
  await signIn(signedIn, { scope: 'openid offline_access', prompt: 'consent' });
  const before = await countRows();
  for (const [table, count] of Object.entries(before)) expect(count, table).toBeGreaterThan(0);

  // longer than the lifetime of any data of a visitor
  application().clock.advanceSeconds(40 * daySeconds);
  await tidyUp(application().services);
  expect(await countRows()).toEqual(Object.fromEntries(Object.keys(before).map((table) => [table, 0])));
});

test('a warning is logged once 80 percent of a budget of code messages are used', async () => {
  const { services, log } = application();
  const config = { ...services.config, codes: { ...services.config.codes, perHourAndRange: 5 } };
  const warnings = () =>
    JSON.stringify(log).split('the hourly budget of code messages is nearly used up').length - 1;
  for (let index = 0; index < 4; index += 1) {
    await warnOfCodeBudgets({ ...services, config });
    expect(warnings()).toBe(0);
    await services.database
      .insertInto('code_messages')
      .values({
        id: `message-${index}`,
        user_id: await addUser(services.database, services.clock.now()),
        number_hash: `number-${index}`,
        number_range: '+979125',
        sent_at: services.clock.now(),
      })
      .execute();
  }
  await warnOfCodeBudgets({ ...services, config });
  expect(warnings()).toBe(1);
});
