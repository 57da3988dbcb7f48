import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { portal, startApplication } from '../../testing/application.ts';
import type { TestApplication } from '../../testing/application.ts';
import { startBreakableProxy } from '../../testing/breakable-proxy.ts';
import type { BreakableProxy } from '../../testing/breakable-proxy.ts';
import { openServerTestDatabase, serverIsThere } from '../../testing/describe-store.ts';
import { sendPassword, signIn } from '../../testing/journeys.ts';
import { beginSignIn } from '../../testing/relying-party.ts';
import { createLog } from '../lib/log.ts';
import { openDatabase } from './open-database.ts';
import type { OpenDatabase } from './open-database.ts';

// Attacks and faults, F03: the database becomes unavailable and returns.

describe.runIf(serverIsThere())('while the database is unavailable', () => {
  let schema: Awaited<ReturnType<typeof openServerTestDatabase>>;
  let proxy: BreakableProxy;
  let through: OpenDatabase;
  let application: TestApplication;

  beforeAll(async () => {
    schema = await openServerTestDatabase();
    const url = new URL(schema.url);
    proxy = await startBreakableProxy({ host: url.hostname, port: Number(url.port || 5432) });
    url.host = `127.0.0.1:${proxy.port}`;
    through = await openDatabase(
      {
        kind: 'server',
        urls: [url.href],
        poolSize: 5,
        statementTimeoutSeconds: 2,
        connectionTimeoutSeconds: 1,
      },
      createLog('silent'),
    );
    application = await startApplication(through.database);
  });

  afterAll(async () => {
    await application.close();
    await through.close();
    await proxy.close();
    await schema.close();
  });

  test('every call returns 503 with Retry-After, no sign-in succeeds, and the service recovers with the database', async () => {
    const browser = application.openBrowser();
    const started = await beginSignIn(browser, portal);
    await signIn(application.openBrowser());

    proxy.disconnect();
    const answers = await Promise.all([
      sendPassword(browser, started),
      browser.call('/api/ui/auth-context', { returnUrl: started.returnUrl }),
      browser.call('/api/ui/sites/harbor'),
      browser.visit('/health/ready'),
      browser.visit(started.returnUrl),
    ]);
    for (const answer of answers) {
      expect(answer).toMatchObject({ status: 503, headers: { 'retry-after': '2' } });
      expect(answer.json()).toEqual({ code: 'overloaded' });
    }
    expect((await browser.visit('/health/live')).status).toBe(200);

    proxy.restore();
    const askLater = async (): Promise<number> => {
      application.clock.advanceSeconds(1);
      return (await browser.visit('/health/ready')).status;
    };
    await expect.poll(askLater).toBe(200);
    expect((await sendPassword(browser, started)).json()).toMatchObject({ status: 'redirect' });
  });
});
