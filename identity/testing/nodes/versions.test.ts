import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { demoPassword } from '../../src/demo/demo-data.ts';
import { portal } from '../application.ts';
import { serverIsThere } from '../describe-store.ts';
import { findFreePort } from '../../../tools/start/ports.ts';
import { askUserInfo, followToApplication, redeem, secretary, sendPassword, signIn } from '../journeys.ts';
import { askForLink, openRecoveryPage, readLink } from '../recovery.ts';
import { beginSignIn } from '../relying-party.ts';
import { hasPreviousRelease, unpackPreviousRelease } from './previous-release.ts';
import { useNodes } from './use-nodes.ts';

// Attacks and faults, F06 and F12: the previous release and this one on one database, and a rollback.

describe.runIf(serverIsThere() && hasPreviousRelease)('the previous release and this release', () => {
  const nodes = useNodes(0);
  let previous: ReturnType<typeof unpackPreviousRelease>;
  beforeAll(() => {
    previous = unpackPreviousRelease();
  });
  afterAll(() => previous.remove());

  test('run side by side, with requests alternating between them; after a rollback, sessions of this release stay valid [F06, F12]', async () => {
    const old = await nodes().add({ PORT: String(await findFreePort()) }, { script: previous.main });
    const early = nodes().openBrowser();
    const codeOfOld = await signIn(early);
    // migrates the tables while the previous release is running
    const fresh = await nodes().add();
    expect((await redeem(nodes(), codeOfOld)).status).toBe(200);

    for (let round = 0; round < 2; round += 1) {
      if (round === 1) await nodes().openBrowser().visit('/health/live');
      const browser = nodes().openBrowser();
      const tokens = await redeem(nodes(), await signIn(browser));
      expect(tokens.status, tokens.text).toBe(200);
      expect((await askUserInfo(nodes(), tokens.json()['access_token'])).status).toBe(200);
      const elevate = await beginSignIn(browser, portal, { prompt: 'elevate' });
      await followToApplication(browser, await sendPassword(browser, elevate, { password: demoPassword }));
      expect((await browser.post('/api/ui/auth/sign-out', {})).status).toBe(204);
      for (const index of [0, 1])
        expect((await browser.at(nodes().at(index)).call('/api/ui/sites')).status).toBe(401);
    }

    const director = nodes().openBrowser();
    const started = await beginSignIn(director, portal);
    await sendPassword(director, started, {
      ...secretary,
      userName: 'director@demo.example',
      site: 'northwind',
    });
    const sms = await nodes()
      .database.selectFrom('outbox')
      .select('text')
      .where('kind', '=', 'sms')
      .executeTakeFirstOrThrow();
    const code = /#(\d{6})$/.exec(sms.text)?.[1] ?? '';
    const { returnUrl } = started;
    await followToApplication(director, await director.post('/api/ui/verify-mfa-code', { returnUrl, code }));

    await askForLink(await openRecoveryPage(nodes()), secretary.userName);
    const findMail = () =>
      nodes()
        .database.selectFrom('outbox')
        .select(['text', 'recipient', 'subject'])
        .where('kind', '=', 'mail')
        .executeTakeFirst();
    await expect.poll(findMail, { interval: 20 }).toBeDefined();
    const mail = await findMail();
    const token = readLink(mail!).hash.slice(1);
    const page = await openRecoveryPage(nodes());
    const fields = {
      token,
      newPassword: 'lantern velvet oxbow 31',
      newPasswordConfirmation: 'lantern velvet oxbow 31',
    };
    expect((await page.post('/api/ui/recovery/new-password', fields)).status).toBeLessThan(300);

    const kept = nodes().openBrowser();
    const tokens = await redeem(
      nodes(),
      await signIn(kept, {}, { ...secretary, password: 'lantern velvet oxbow 31' }),
    );
    nodes().balancer.remove(fresh);
    expect(await fresh.stop()).toBe(0);
    expect((await kept.call('/api/ui/sites')).status).toBe(200);
    expect((await askUserInfo(nodes(), tokens.json()['access_token'])).status).toBe(200);
    const again = await signIn(
      nodes().openBrowser(),
      {},
      { ...secretary, password: 'lantern velvet oxbow 31' },
    );
    expect((await redeem(nodes(), again)).status).toBe(200);
    expect(old.child.process.exitCode).toBeNull();
  });
});
