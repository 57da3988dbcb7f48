import { sql } from 'kysely';
import { afterAll, describe, expect, test } from 'vitest';
import { demoPassword } from '../../src/demo/demo-data.ts';
import { portal } from '../application.ts';
import { serverIsThere } from '../describe-store.ts';
import { findFreePort } from '../free-port.ts';
import { askUserInfo, goBack, redeem, secretary, sendPassword, signIn } from '../journeys.ts';
import { askForLink, openRecoveryPage, readLink } from '../recovery.ts';
import { beginSignIn } from '../relying-party.ts';
import { hasPreviousRelease, unpackPreviousRelease } from './previous-release.ts';
import { useNodes } from './use-nodes.ts';

// Attacks and faults, F06 and F12: the release before and this one on one database, and the way back.

describe.runIf(serverIsThere() && hasPreviousRelease())('the release before and this one', () => {
  const nodes = useNodes(0);
  const previous = unpackPreviousRelease();
  afterAll(() => previous.remove());

  test('F06: side by side, each request at the other version; F12: this one taken away, its sessions live on in the one before', async () => {
    const old = await nodes().add({ PORT: String(await findFreePort()) }, { script: previous.main });
    const early = nodes().openBrowser();
    const codeOfOld = await signIn(early);
    // brings the tables further under the old one's feet
    const fresh = await nodes().add();
    // the demo portal starts sign-ins at an http address, which no application in production has and which the older provider refuses
    await sql`update clients set metadata = metadata - 'initiate_login_uri'`.execute(nodes().database);
    expect((await redeem(nodes(), codeOfOld)).status).toBe(200);

    for (let round = 0; round < 2; round += 1) {
      if (round === 1) await nodes().openBrowser().visit('/health/live');
      const browser = nodes().openBrowser();
      const tokens = await redeem(nodes(), await signIn(browser));
      expect(tokens.status, tokens.text).toBe(200);
      expect((await askUserInfo(nodes(), tokens.json()['access_token'])).status).toBe(200);
      const elevate = await beginSignIn(browser, portal, { prompt: 'elevate' });
      await goBack(browser, await sendPassword(browser, elevate, { password: demoPassword }));
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
    await goBack(director, await director.post('/api/ui/verify-mfa-code', { returnUrl, code }));

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
