import { startTestProduct } from '@anteroom/testkit';
import type { Product } from '@anteroom/testkit';
import { demoPassword, demoUsers } from '@anteroom/testkit/demo-users';
import { findFreePort } from '../../../tools/start/ports.ts';
import { requirePackages } from '../../fixtures/debian-program.ts';
import { EnginePage, keys } from '../../fixtures/engines/engine-page.ts';
import { startFirefox } from '../../fixtures/engines/firefox.ts';
import { startWebKit } from '../../fixtures/engines/webkit.ts';
import { readMessages, receiveMessage } from '../../fixtures/mails.ts';
import { expect, test } from '../../fixtures/test.ts';
import { startTlsProxies } from '../../fixtures/tls-proxies.ts';
import { words } from '../../fixtures/words.ts';

// Goals of users in the engines that Playwright does not bring, with Debian's builds of them. Over https, WebKit applies
// other rules to cookies and to pages that Back restores.

const webKit = { packages: ['webkit2gtk-driver', 'xvfb'], start: startWebKit };
const engines = [
  { engine: 'WebKitGTK', ...webKit, isOverTls: false },
  {
    engine: 'WebKitGTK over https',
    packages: [...webKit.packages, 'openssl'],
    start: startWebKit,
    isOverTls: true,
  },
  { engine: 'Firefox', packages: ['firefox-esr'], start: startFirefox, isOverTls: false },
];

interface Journey {
  goal: string;
  /** Whether TLS can make a difference, by cookies, redirects between sites, or restored pages. */
  isPlayedOverTls?: boolean;
  play: (page: EnginePage, product: Product) => Promise<void>;
}

/** Starts the product behind a proxy that terminates TLS. Service and portal are different sites to a browser. */
async function startProductOverTls(): Promise<Product> {
  const [from, to] = [await findFreePort(), await findFreePort()];
  const demo = { from: await findFreePort(), to: await findFreePort() };
  const stopProxies = await startTlsProxies([{ from, to }, demo]);
  const product = await startTestProduct({
    PORT: String(to),
    PUBLIC_URL: `https://localhost:${from}`,
    DEMO_PORT: String(demo.to),
    DEMO_PUBLIC_URL: `https://127.0.0.1:${demo.from}`,
  });
  return {
    ...product,
    close: async () => {
      await product.close();
      await stopProxies();
    },
  };
}

const userNameField = 'input[name="userName"]';
const passwordField = 'input[name="password"]';

async function enterSite(page: EnginePage, { demo }: Product, site: string): Promise<void> {
  await page.goTo(demo.url);
  await page.press('[data-action="sign-in"]');
  await page.seeFocus('main[data-step="site-entry"] input');
  await page.type(site + keys.enter);
  await page.seeFocus(userNameField);
}

async function signIn(
  page: EnginePage,
  product: Product,
  userName: string = demoUsers.secretary,
): Promise<void> {
  await enterSite(page, product, 'harbor');
  await page.type(userName);
  await page.fill(passwordField, demoPassword);
  await page.press('main button[type="submit"]');
}

/** Signs in up to the code, and returns the code that the director gets. */
async function signInUpToCode(page: EnginePage, product: Product): Promise<string> {
  const before = (await readMessages(product, directorsPhone)).length;
  await signIn(page, product, demoUsers.director);
  const { code = '' } = await receiveMessage(product, directorsPhone, before);
  await page.seeFocus('input[name="code-1"]');
  return code;
}

async function signInUpToBoards(page: EnginePage, product: Product): Promise<void> {
  const code = await signInUpToCode(page, product);
  await page.type(code + keys.enter);
  await expectPortal(page, product, demoUsers.director);
  await page.press('[data-action="switch-site"]');
  await page.see('main[data-step="select-site"] [data-site="northwind-audit"]');
}

async function expectPortal(page: EnginePage, { demo }: Product, email: string): Promise<void> {
  await page.see('[data-claim="email"]', email);
  await page.seeUrl(`${demo.url}/`);
}

const directorsPhone = '+442079460142';
const employee = 'employee@corp.example';
const newPassword = 'seven lanterns over the river';

const journeys: Journey[] = [
  {
    goal: 'a user signs in with name and password, and the portal gets the claims',
    isPlayedOverTls: true,
    play: async (page, product) => {
      await signIn(page, product);
      await expectPortal(page, product, demoUsers.secretary);
    },
  },
  {
    goal: 'a user types a wrong code, then pastes the code of the message',
    play: async (page, product) => {
      const code = await signInUpToCode(page, product);
      await page.type(code === '000000' ? '111111' : '000000');
      await page.seeFocus('input[name="code-6"]');
      await page.type(keys.enter);
      await page.see('main', words('mfa.errors.invalidCodeHeading'));
      await page.seeFocus('input[name="code-1"]');
      await page.copy(code);
      await page.press('input[name="code-1"]');
      await page.typeWithControl('v');
      await page.see('input[name="code-6"]', code.slice(-1));
      await page.type(keys.enter);
      await expectPortal(page, product, demoUsers.director);
    },
  },
  {
    goal: 'a keyboard user chooses another board by the first letter of its name',
    play: async (page, product) => {
      await signInUpToBoards(page, product);
      await page.seeFocus('[data-site] button');
      // Each letter moves to the next match; a word would have to be typed without a pause.
      await page.type('n');
      await page.seeFocus('[data-site="northwind"] button');
      await page.type('n');
      await page.seeFocus('[data-site="northwind-audit"] button');
      await page.type(keys.enter);
      await page.see('[data-claim="site"]', 'northwind-audit');
    },
  },
  {
    goal: 'a user opens the account page, chooses the dark colours and reads the activity',
    play: async (page, product) => {
      await signIn(page, product);
      await page.press('[data-action="account"]');
      await page.see('[data-session]');
      await page.tabTo('select[name="theme"]');
      await page.type(words('account.display.dark'));
      await page.see('html[style*="dark"]');
      await page.see('[data-activity] li', words('account.activity.signedIn'));
      await page.press('[data-action="back-to-boards"]');
      await expectPortal(page, product, demoUsers.secretary);
    },
  },
  {
    goal: 'a visitor changes the language to Arabic, and the page keeps the typed name',
    play: async (page, product) => {
      await enterSite(page, product, 'harbor');
      await page.type(demoUsers.secretary);
      await page.press('[data-action="language"]');
      await page.press('[role="menuitemradio"][lang="ar"]');
      await page.see('html[lang="ar"][dir="rtl"]');
      await page.see('main button[type="submit"]', words('login.signIn', {}, 'ar'));
      await page.see(userNameField, demoUsers.secretary);
    },
  },
  {
    goal: 'Back after a sign-in returns to the portal',
    isPlayedOverTls: true,
    play: async (page, product) => {
      await signIn(page, product);
      await expectPortal(page, product, demoUsers.secretary);
      await page.goBack();
      await expectPortal(page, product, demoUsers.secretary);
    },
  },
  {
    goal: 'an employee signs in over their company',
    isPlayedOverTls: true,
    play: async (page, product) => {
      await enterSite(page, product, 'corp');
      await page.type(employee + keys.enter);
      await page.see('input[name="email"]', employee);
      await page.fill(passwordField, demoPassword);
      await page.type(keys.enter);
      await expectPortal(page, product, employee);
    },
  },
  {
    goal: 'a user signs out at the portal, and a new sign-in requires the password',
    isPlayedOverTls: true,
    play: async (page, product) => {
      await signIn(page, product);
      await page.press('[data-action="sign-out"]');
      await page.seeUrl(`${product.demo.url}/signed-out`);
      await page.goTo(`${product.demo.url}/go/sign-in`);
      await page.seeFocus(userNameField);
    },
  },
  {
    goal: 'Back after a sign-out at the service shows no account page',
    isPlayedOverTls: true,
    play: async (page, product) => {
      await signIn(page, product);
      await page.press('[data-action="account"]');
      await page.see('[data-session]');
      await page.goTo(`${product.identity.url}/ui/account/logout`);
      await page.press('main[data-step="logout"] button[type="submit"]');
      await page.see('main[data-step="logged-out"]');
      await page.goBack();
      await page.seeFocus(userNameField);
    },
  },
  {
    goal: 'a sign-out at the service ends the session at the portal, which a frame notifies',
    isPlayedOverTls: true,
    play: async (page, product) => {
      await signIn(page, product);
      await expectPortal(page, product, demoUsers.secretary);
      await page.goTo(`${product.identity.url}/ui/account/logout`);
      await page.press('main[data-step="logout"] button[type="submit"]');
      await page.see('main[data-step="logged-out"]');
      await expect.poll(() => page.run(hasLoadedFrames)).toBe(true);
      await page.goTo(product.demo.url);
      await page.see('[data-action="sign-in"]');
    },
  },
  {
    goal: 'a user completes a required password change',
    play: async (page, product) => {
      await signIn(page, product, demoUsers.newcomer);
      await page.seeFocus('main[data-step="password-reset-required"] input[name="currentPassword"]');
      await page.type(demoPassword);
      await page.fill('input[name="newPassword"]', newPassword);
      await page.see('[data-policy-line="minimumLength"][data-met="true"]');
      await page.fill('input[name="newPasswordConfirmation"]', newPassword);
      await page.press('main button[type="submit"]');
      await expectPortal(page, product, demoUsers.newcomer);
    },
  },
  {
    goal: 'a user who has forgotten the password sets a new one with the e-mailed link',
    play: async (page, product) => {
      await enterSite(page, product, 'harbor');
      await page.type(demoUsers.secretary);
      await page.press('[data-action="forgot-credentials"]');
      await page.see(`main[data-step="forgotten-password"] ${userNameField}`, demoUsers.secretary);
      await page.press('main button[type="submit"]');
      const { links } = await receiveMessage(product, demoUsers.secretary, 0);
      await page.goTo(links[0] ?? '');
      await page.fill('input[name="newPassword"]', newPassword);
      await page.fill('input[name="newPasswordConfirmation"]', newPassword);
      await page.press('main button[type="submit"]');
      await page.see('main h2', words('recovery.newPassword.savedHeading'));
      await page.press('main a[href]');
      await page.see(userNameField, demoUsers.secretary);
      await page.fill(passwordField, newPassword);
      await page.press('main button[type="submit"]');
      await expectPortal(page, product, demoUsers.secretary);
    },
  },
];

/** Whether the frame of the signed-out page, and the application's frame in it, have loaded. Runs in the page. */
function hasLoadedFrames(): boolean {
  const inside = document.querySelector('iframe')?.contentDocument;
  return inside?.querySelector('iframe') != null && inside.readyState === 'complete';
}

for (const { engine, packages, start, isOverTls } of engines)
  test.describe(engine, () => {
    // one product for all journeys of an engine
    test.describe.configure({ mode: 'default' });
    let product: Product;
    test.beforeAll(async ({}, testInfo) => {
      requirePackages(testInfo, packages);
      product = await (isOverTls ? startProductOverTls() : startTestProduct());
    });
    test.afterAll(async () => product?.close());
    test.beforeEach(() => product.reset());

    for (const { goal, play } of journeys.filter(({ isPlayedOverTls }) => isPlayedOverTls || !isOverTls))
      test(`in ${engine} ${goal}`, async ({ addCleanup }, testInfo) => {
        const driver = await start();
        addCleanup(driver.close);
        try {
          await play(new EnginePage(driver), product);
        } catch (error) {
          const picture = await driver.takeScreenshot().catch(() => '');
          await testInfo.attach('page', { body: Buffer.from(picture, 'base64'), contentType: 'image/png' });
          throw error;
        }
      });
  });
