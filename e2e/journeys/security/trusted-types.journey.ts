import { demoPassword, demoUsers } from '@anteroom/testkit/demo-users';
import { words } from '../../fixtures/words.ts';
import { expect, test } from '../../fixtures/test.ts';

// Attacks and faults, S11, and S64 for the browser's console and reports.

/** A secret as plain text, URL-encoded and base64-encoded. */
const spellings = (secret: string): string[] => [
  secret,
  encodeURIComponent(secret),
  Buffer.from(secret).toString('base64').replace(/=+$/, ''),
];

test('a plain string for innerHTML throws and is reported, the sign-in still works, and console and reports contain no secret [S11, S64]', async ({
  page,
  product,
  noise,
}) => {
  const consoleLines: string[] = [];
  const reports: string[] = [];
  const codes: string[] = [];
  page.on('console', (message) => consoleLines.push(`${message.text()} ${message.location().url}`));
  page.on('request', (request) => {
    if (request.method() === 'POST' && request.url().includes('report'))
      reports.push(request.postData() ?? '');
    const code = new URL(request.url()).searchParams.get('code');
    if (code !== null) codes.push(code);
  });
  // removes `report-to`, with which Chromium delays its reports and requires https
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
  // routes do not apply to redirected requests, so this loads the page again
  await page.reload();
  await page.getByRole('textbox', { name: words('login.userName') }).waitFor();
  // entered before the violations, so that a report could contain it
  await page.getByRole('textbox', { name: words('login.userName') }).fill(demoUsers.secretary);
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
  // the browser logs each violation
  expect(noise.length).toBeGreaterThan(0);
  noise.splice(0);

  await page.getByRole('button', { name: words('login.signIn'), exact: true }).click();
  await expect(page.locator('[data-claim="email"]')).toHaveText(demoUsers.secretary);
  expect(noise).toEqual([]);

  const cookies = (await page.context().cookies())
    .map(({ value }) => value)
    .filter(({ length }) => length > 20);
  expect(codes).toHaveLength(1);
  expect(Math.min(consoleLines.length, reports.length, cookies.length)).toBeGreaterThan(0);
  const secrets = [demoPassword, ...codes, ...cookies].flatMap(spellings);
  for (const text of [...consoleLines, ...reports])
    expect(
      secrets.filter((secret) => text.includes(secret)),
      text,
    ).toEqual([]);
});
