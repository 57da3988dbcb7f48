import { expect, test, vi } from 'vitest';
import { portal } from '../testing/application.ts';
import { sendPassword } from '../testing/journeys.ts';
import { beginSignIn } from '../testing/relying-party.ts';
import { useApplication } from '../testing/use-application.ts';

// Attacks and faults, S32 and S66: a flood of sign-ins is rejected before any other work.

const application = useApplication({ settings: { HASH_CONCURRENCY: '1' } });

/** Takes every slot of the queue. Returns the functions that release them. */
function takeAllPlaces(): (() => void)[] {
  const { passwords } = application().services;
  const taken: (() => void)[] = [];
  try {
    for (;;) taken.push(passwords.admit());
  } catch {
    return taken;
  }
}

test('a sign-in without a free slot gets 503 with Retry-After and does not count towards any limit [S66]', async () => {
  const browser = application().openBrowser();
  const started = await beginSignIn(browser, portal);
  const taken = takeAllPlaces();
  const before = await application().services.database.selectFrom('limits').selectAll().execute();
  const refused = await sendPassword(browser, started);
  expect(refused).toMatchObject({ status: 503, headers: { 'retry-after': '1' } });
  expect(refused.json()).toEqual({ code: 'overloaded' });
  expect(await application().services.database.selectFrom('limits').selectAll().execute()).toEqual(before);

  // Other calls still work.
  expect((await browser.call('/api/ui/auth-context', { returnUrl: started.returnUrl })).status).toBe(200);
  expect((await browser.visit('/health/ready')).status).toBe(200);

  for (const leave of taken) leave();
  expect((await sendPassword(browser, started)).json()).toMatchObject({ status: 'redirect' });
});

test('a sign-in whose body is missing takes no slot [S66]', async () => {
  const { passwords } = application().services;
  const admitting = vi.spyOn(passwords, 'admit');
  const browser = application().openBrowser();
  const started = await beginSignIn(browser, portal);
  expect((await browser.post('/api/ui/authenticate', { returnUrl: started.returnUrl })).status).toBe(400);
  expect(admitting).not.toHaveBeenCalled();
  admitting.mockRestore();
});

test('an address that has reached its limit of failures gets 429 without a database statement', async () => {
  const { limits } = application().services;
  const address = '127.0.0.1';
  for (let failure = 0; failure < 100; failure += 1) {
    await limits.attempt({ kind: 'password', account: `nobody ${failure}`, address }).catch(() => undefined);
  }
  await expect(limits.attempt({ kind: 'password', account: 'nobody', address })).rejects.toMatchObject({
    code: 'rate_limit_reached',
  });
  const browser = application().openBrowser();
  const started = await beginSignIn(browser, portal);
  const refused = await sendPassword(browser, started);
  expect(refused.status).toBe(429);
  expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
});
