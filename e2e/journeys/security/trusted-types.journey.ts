import { demoPassword, demoPeople } from '@anteroom/testkit/demo-people';
import { words } from '../../fixtures/words.ts';
import { expect, test } from '../../fixtures/product-test.ts';

// Attacks and faults, S11, and S64 for what a browser says and reports.

/** A secret as it stands somewhere, in an address, and in other bytes' clothes. */
const spellings = (secret: string): string[] => [
  secret,
  encodeURIComponent(secret),
  Buffer.from(secret).toString('base64').replace(/=+$/, ''),
];

test('S11, S64: a plain string into innerHTML throws and is reported to the service, the sign-in works on, and neither console nor report has a secret', async ({
  page,
  product,
  noise,
}) => {
  const said: string[] = [];
  const reports: string[] = [];
  const codes: string[] = [];
  page.on('console', (message) => said.push(`${message.text()} ${message.location().url}`));
  page.on('request', (request) => {
    if (request.method() === 'POST' && request.url().includes('report'))
      reports.push(request.postData() ?? '');
    const code = new URL(request.url()).searchParams.get('code');
    if (code !== null) codes.push(code);
  });
  // with `report-to` Chromium sends its reports when it finds the time, and to https alone: as a browser that does not know it yet
  await page.route('**/ui/account/login*', async (route) => {
    const response = await route.fetch();
    const headers = response.headers();
    const older = headers['content-security-policy']?.replace(/report-to [^;]+; /, '') ?? '';
    await route.fulfill({ response, headers: { ...headers, 'content-security-policy': older } });
  });
  await page.goto(product.demo.url);
  await page.getByRole('link', { name: 'Sign in' }).click();
  await page.getByRole('textbox', { name: words('site.label') }).fill('harbor');
  await page.getByRole('button', { name: words('common.continue') }).click();
  await page.getByRole('textbox', { name: words('login.userName') }).waitFor();
  // what a redirect has led to is not routed, what is loaded again is
  await page.reload();
  await page.getByRole('textbox', { name: words('login.userName') }).waitFor();
  // typed before anything goes wrong: nothing of it may come along
  await page.getByRole('textbox', { name: words('login.userName') }).fill(demoPeople.secretary);
  await page.getByLabel(words('login.password'), { exact: true }).fill(demoPassword);
  const served = await page.request.get(`${product.identity.url}/ui/`);
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
    .poll(product.metrics)
    .toMatch(/anteroom_content_policy_reports_total\{directive="require-trusted-types-for"\} [1-9]/);
  // each was said on the console, which is what the browser does with a refusal
  expect(noise.length).toBeGreaterThan(0);
  noise.splice(0);

  await page.getByRole('button', { name: words('login.signIn') }).click();
  await expect(page.locator('[data-claim="email"]')).toHaveText(demoPeople.secretary);
  expect(noise).toEqual([]);

  const cookies = (await page.context().cookies())
    .map(({ value }) => value)
    .filter(({ length }) => length > 20);
  expect(codes).toHaveLength(1);
  expect(Math.min(said.length, reports.length, cookies.length)).toBeGreaterThan(0);
  const secrets = [demoPassword, ...codes, ...cookies].flatMap(spellings);
  for (const text of [...said, ...reports])
    expect(
      secrets.filter((secret) => text.includes(secret)),
      text,
    ).toEqual([]);
});
