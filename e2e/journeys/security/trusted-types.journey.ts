import { demoPassword, demoPeople } from '@anteroom/testkit/demo-people';
import { words } from '../../fixtures/words.ts';
import { expect, test } from '../../fixtures/world-test.ts';

// Attacks and faults, S11.

test('S11: a plain string into innerHTML throws and is reported to the service, and the sign-in works on', async ({
  page,
  world,
  noise,
}) => {
  // with `report-to` Chromium sends its reports when it finds the time, and to https alone: as a browser that does not know it yet
  await page.route('**/ui/account/login*', async (route) => {
    const response = await route.fetch();
    const headers = response.headers();
    const older = headers['content-security-policy']?.replace(/report-to [^;]+; /, '') ?? '';
    await route.fulfill({ response, headers: { ...headers, 'content-security-policy': older } });
  });
  await page.goto(world.demo.url);
  await page.getByRole('link', { name: 'Sign in' }).click();
  await page.getByRole('textbox', { name: words('site.label') }).fill('harbor');
  await page.getByRole('button', { name: words('common.continue') }).click();
  await page.getByRole('textbox', { name: words('login.userName') }).waitFor();
  // what a redirect has led to is not routed, what is loaded again is
  await page.reload();
  await page.getByRole('textbox', { name: words('login.userName') }).waitFor();
  const served = await page.request.get(`${world.identity.url}/ui/`);
  const policy = served.headers()['content-security-policy'];
  expect(policy).toContain("require-trusted-types-for 'script'; trusted-types dompurify;");

  const thrown = await page.evaluate(() => {
    const factory = Reflect.get(globalThis, 'trustedTypes') as { createPolicy: (name: string) => void };
    const tries: Record<string, () => void> = {
      innerHTML: () => (document.body.innerHTML = '<b>plain</b>'),
      outerHTML: () => (document.body.outerHTML = '<body>plain</body>'),
      insertAdjacentHTML: () => document.body.insertAdjacentHTML('beforeend', '<b>plain</b>'),
      'script.text': () => (document.createElement('script').text = 'globalThis.hit = 1'),
      'script.src': () => (document.createElement('script').src = 'https://evil.invalid/x.js'),
      'another policy': () => factory.createPolicy('anybody'),
      'a default policy': () => factory.createPolicy('default'),
    };
    return Object.fromEntries(
      Object.entries(tries).map(([name, attempt]) => {
        try {
          attempt();
          return [name, 'went through'];
        } catch (error) {
          return [name, error instanceof TypeError ? 'threw' : String(error)];
        }
      }),
    );
  });
  expect(Object.values(thrown), JSON.stringify(thrown)).toEqual(Object.keys(thrown).map(() => 'threw'));
  await expect
    .poll(world.metrics)
    .toMatch(/anteroom_content_policy_reports_total\{directive="require-trusted-types-for"\} [1-9]/);
  // each was said on the console, which is what the browser does with a refusal
  expect(noise.length).toBeGreaterThan(0);
  noise.splice(0);

  await page.getByRole('textbox', { name: words('login.userName') }).fill(demoPeople.secretary);
  await page.getByLabel(words('login.password'), { exact: true }).fill(demoPassword);
  await page.getByRole('button', { name: words('login.signIn') }).click();
  await expect(page.locator('[data-claim="email"]')).toHaveText(demoPeople.secretary);
  expect(noise).toEqual([]);
});
