import { beforeEach, describe, expect, test, vi } from 'vitest';
import { portal } from '../../testing/application.ts';
import type { Browser } from '../../testing/browser.ts';
import { secretary, sendPassword } from '../../testing/journeys.ts';
import { beginSignIn } from '../../testing/relying-party.ts';
import { useApplication } from '../../testing/use-application.ts';
import { createKnownBrowsers } from './known-browser.ts';

const cookieName = 'anteroom_known';
const newcomer = { ...secretary, userName: 'newcomer@demo.example' };
const failuresOfAddress = 10;

const application = useApplication({ settings: { LIMIT_ADDRESS_FAILURES: String(failuresOfAddress) } });

beforeEach(async () => {
  const { services, clock } = application();
  await services.database.deleteFrom('limits').execute();
  await services.database.updateTable('credentials').set({ must_change: false }).execute();
  // Expires the node's cache of rejected addresses.
  clock.advanceSeconds(5);
});

/** Fails from the same address until the address must wait. */
async function useUpTheAddress(): Promise<void> {
  const stranger = application().openBrowser();
  const { returnUrl } = await beginSignIn(stranger, portal);
  const statuses: number[] = [];
  for (let index = 0; index <= failuresOfAddress; index += 1) {
    const credentials = { ...secretary, userName: `nobody-${index}@demo.example` };
    statuses.push((await sendPassword(stranger, { returnUrl }, credentials)).status);
  }
  expect(statuses.at(-1)).toBe(429);
}

/** Signs in again with the known browser but without its session. Returns the status. */
async function attempt(browser: Browser, credentials: typeof secretary): Promise<number> {
  browser.cookies.delete('anteroom_session');
  const started = await beginSignIn(browser, portal);
  return (await sendPassword(browser, started, credentials)).status;
}

async function openKnownBrowser(...users: (typeof secretary)[]): Promise<Browser> {
  const browser = application().openBrowser();
  for (const user of users) expect(await attempt(browser, user)).toBe(200);
  return browser;
}

const withWrongPassword = (credentials: typeof secretary) => ({ ...credentials, password: 'wrong' });

describe('behind an address that has reached its failure limit [S34]', () => {
  test('a user can sign in with a known browser and with no other', async () => {
    const own = await openKnownBrowser(secretary);
    await useUpTheAddress();
    expect(await attempt(application().openBrowser(), secretary)).toBe(429);
    expect(await attempt(own, withWrongPassword(secretary))).toBe(401);
    expect(await attempt(own, secretary)).toBe(200);
  });

  test('each known user of a browser can sign in with it', async () => {
    const shared = await openKnownBrowser(secretary, newcomer);
    await useUpTheAddress();
    for (const user of [secretary, newcomer, secretary]) expect(await attempt(shared, user)).toBe(200);
  });

  test('a browser known for one user is unknown for every other account, even with the correct password', async () => {
    const attacker = await openKnownBrowser(newcomer);
    await useUpTheAddress();
    for (const credentials of [withWrongPassword(secretary), secretary])
      expect(await attempt(attacker, credentials)).toBe(429);
  });

  test('a forged cookie grants no exemption, and the request is refused before its body is read', async () => {
    const known = await openKnownBrowser(secretary);
    const { value = '' } = known.cookies.get(cookieName) ?? {};
    const [secret = '', user = '', own = ''] = value.split('.');
    await useUpTheAddress();
    const counting = vi.spyOn(application().services.limits, 'attempt');
    for (const forged of [
      'x.y',
      'x.y.z',
      '',
      '..',
      secret,
      `${secret}.${user}`,
      `x.${user}.${own}`,
      value.slice(1),
    ]) {
      const browser = application().openBrowser();
      browser.cookies.set(cookieName, { value: forged, path: '/' });
      expect(await attempt(browser, secretary), forged).toBe(429);
    }
    expect(counting).not.toHaveBeenCalled();
    counting.mockRestore();
  });

  test('failures of a known browser still count for its user', async () => {
    const own = await openKnownBrowser(secretary);
    const statuses: number[] = [];
    for (let index = 0; index < 8; index += 1)
      statuses.push(await attempt(own, withWrongPassword(secretary)));
    expect(statuses).toEqual([401, 401, 401, 401, 401, 429, 429, 429]);
  });
});

test('a browser known for one user allows no additional guesses at other accounts [S32]', async () => {
  const attacker = await openKnownBrowser(newcomer);
  const statuses: number[] = [];
  for (let index = 0; index < 2 * failuresOfAddress; index += 1)
    statuses.push(await attempt(attacker, { ...secretary, userName: `victim-${index}@demo.example` }));
  expect(statuses.filter((status) => status === 401)).toHaveLength(failuresOfAddress);
});

describe('the cookie', () => {
  const browser = () => {
    const headers: Record<string, string> = {};
    const known = createKnownBrowsers(application().services);
    const setHeader = (_name: string, line: string) => void (headers['cookie'] = line.split(';')[0] ?? '');
    const exchange = { headers, setHeader };
    return { headers, known, exchange };
  };

  test('remembers the eight most recent users, each once', () => {
    const { headers, known, exchange } = browser();
    for (const user of ['ada', 'bo', 'cy', 'dee', 'eve', 'fay', 'gil', 'hal', 'ada', 'ada', 'ida'])
      known.note(exchange, user);
    const isKnown = (user: string) => known.findSecret(exchange, user) !== undefined;
    expect(['ida', 'ada', 'hal', 'cy'].map(isKnown)).toEqual([true, true, true, true]);
    expect(isKnown('bo')).toBe(false);
    expect(headers['cookie']?.split('.')).toHaveLength(10);
    expect(headers['cookie']?.length).toBeLessThan(500);
  });
});
