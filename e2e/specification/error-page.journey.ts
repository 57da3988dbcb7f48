import type { CallAnswer } from '@anteroom/contract';
import { expect, test } from './visit.ts';
import type { Visit } from './visit.ts';
import type { ScriptedIdentity } from '@anteroom/testkit/scripted/scripted-identity';
import { wordsPattern } from '../fixtures/words.ts';

async function openError(
  visit: Visit,
  { script }: ScriptedIdentity,
  record: CallAnswer<'getErrorMessage'>,
): Promise<void> {
  script.answer('getErrorMessage', record);
  await visit.open('/home/error', { query: { errorId: 'e-1' } });
  await visit.step('error');
}

const record = {
  error: 'access_denied',
  errorDescription: 'The request was refused.',
  errorData: { Application: 'Demo boards', 'Request Id': 'r-99' },
  correlationId: 'corr-4711',
  timestamp: '2026-01-02T03:04:05Z',
};

const attacks = [
  '<img src=x onerror="globalThis.hit=1">',
  '<svg onload="globalThis.hit=1"><animate onbegin="globalThis.hit=1"></svg>',
  '<script>globalThis.hit=1</script>',
  '<iframe srcdoc="<script>parent.hit=1</script>"></iframe>',
  '<a href="javascript:globalThis.hit=1" id="bad">x</a>',
  '<a href=" jav&#x09;ascript:globalThis.hit=1">x</a>',
  '<a href="data:text/html,<script>1</script>">x</a>',
  '<form action="https://evil.invalid"><input name="password"><button>go</button></form>',
  '<style>body{display:none}</style>',
  '<base href="https://evil.invalid/"><meta http-equiv="refresh" content="0;url=https://evil.invalid/">',
  '<math><mtext><table><mglyph><style><!--</style><img title="--&gt;&lt;img src=1 onerror=globalThis.hit=1&gt;">',
  '<p id="root" name="config" class="x" style="position:fixed" onclick="globalThis.hit=1">text</p>',
  '<template><img src=x onerror="globalThis.hit=1"></template>',
  '<object data="javascript:globalThis.hit=1"></object><embed src="javascript:globalThis.hit=1">',
  '<details open ontoggle="globalThis.hit=1"><summary>s</summary></details>',
  '<noscript><p title="</noscript><img src=x onerror=globalThis.hit=1>"></noscript>',
];

test('error page: the record of the errorId is requested once, and the context is not requested', async ({
  visit,
  scripted,
}) => {
  await openError(visit, scripted, record);
  const { input } = await visit.called('getErrorMessage');
  expect(input.query).toEqual({ errorId: 'e-1' });
  expect(scripted.received('getErrorMessage')).toHaveLength(1);
  expect(scripted.received('getAuthContext')).toHaveLength(0);
});

test('error page: heading and sub-heading, then correlation id, UTC time, extra pairs, code and description', async ({
  page,
  visit,
  scripted,
}) => {
  await openError(visit, scripted, record);
  await expect(page.getByRole('heading', { name: wordsPattern('error.heading') })).toBeVisible();
  await expect(page.locator('main')).toContainText('corr-4711');
  const shown = await page.locator('main').innerText();
  const urls = [
    wordsPattern('error.heading'),
    wordsPattern('error.subHeading'),
    wordsPattern('error.correlationId'),
    /corr-4711/,
    wordsPattern('error.timestamp'),
    /03:04:05/,
    /Application/,
    /Demo boards/,
    /Request Id/,
    /r-99/,
    /access_denied/,
    /The request was refused\./,
  ].map((expression) => shown.search(expression));
  expect(urls.every((place) => place >= 0)).toBe(true);
  expect(urls).toEqual(urls.toSorted((a, b) => a - b));
  expect(shown).toMatch(/UTC/);
});

test('error page: the time is in UTC in every time zone of the browser', async ({ browser, scripted }) => {
  const context = await browser.newContext({ timezoneId: 'Pacific/Auckland', locale: 'en-NZ' });
  const page = await context.newPage();
  scripted.script.answer('getErrorMessage', { ...record, timestamp: '2026-01-02T23:04:05Z' });
  await page.goto(`${scripted.urls.service}/ui/home/error?errorId=e-1&skip_splash=true`);
  await expect(page.locator('main[data-step="error"]')).toContainText('23:04:05');
  await expect(page.locator('main')).toContainText(/UTC/);
  await context.close();
});

test('error page: without an errorId it is generic and shows the correlation id of the visit and the time', async ({
  page,
  visit,
  scripted,
}) => {
  await visit.open('/home/error');
  await visit.step('error');
  await expect(page.getByRole('heading', { name: wordsPattern('error.heading') })).toBeVisible();
  const cookies = await page.context().cookies(scripted.urls.service);
  const correlation = cookies.find(({ name }) => name === 'anteroom_correlation')?.value ?? 'no cookie';
  await expect(page.locator('main')).toContainText(correlation);
  await expect(page.locator('main')).toContainText(/\d\d:\d\d:\d\d/);
  expect(scripted.received('getErrorMessage')).toHaveLength(0);
});

test('error page: a record that cannot be loaded or parsed leads to the generic text at the same address', async ({
  page,
  visit,
  scripted,
}) => {
  for (const fail of ['not_found', 'unauthorized', 'internal_error', 'cut', 'garbled'] as const) {
    if (fail === 'cut') scripted.script.cut('getErrorMessage');
    else if (fail === 'garbled') scripted.script.garble('getErrorMessage', '<html>');
    else scripted.script.fail('getErrorMessage', fail);
    const before = scripted.received('getErrorMessage').length;
    await visit.open('/home/error', { query: { errorId: 'e-1' } });
    await visit.called('getErrorMessage', before + 1);
    await visit.step('error');
    await expect(page.getByRole('heading', { name: wordsPattern('error.heading') }), fail).toBeVisible();
    await expect(page.locator('main'), fail).toContainText(wordsPattern('error.subHeading'));
    await expect(page.locator('main'), fail).toContainText(wordsPattern('error.correlationId'));
    expect(new URL(page.url()).pathname, fail).toBe('/ui/home/error');
  }
});

test('error page: a description in HTML is reduced to the listed tags, and an attack has no effect', async ({
  page,
  visit,
  scripted,
  noise,
}) => {
  const forbidden: string[] = [];
  page.on('request', (request) => {
    if (!request.url().startsWith(scripted.urls.service)) forbidden.push(request.url());
  });
  await openError(visit, scripted, {
    ...record,
    errorDescription:
      '<p>One <b>bold</b> <i>i</i> <em>e</em> <strong>s</strong><br><a href="https://help.example/x" target="_blank">help</a></p><ul><li>u</li></ul><ol><li>o</li></ol>',
  });
  const main = page.locator('main');
  await expect(main.locator('a[href="https://help.example/x"]')).toHaveText('help');
  for (const tag of ['b', 'i', 'em', 'strong', 'ul > li', 'ol > li', 'p'])
    await expect(main.locator(tag).first(), tag).toBeAttached();
  for (const attack of attacks) {
    await test.step(attack, async () => {
      await openError(visit, scripted, { ...record, errorDescription: `before ${attack} after` });
      await expect(main).toContainText('before');
      await expect(
        main.locator(
          'script, iframe, form, input, style, base, meta, svg[onload], math, template, object, embed, details, img[onerror], [onclick], [style], #root, [href^="javascript" i], [href^="data" i]',
        ),
      ).toHaveCount(0);
      expect(await page.evaluate(() => Reflect.get(globalThis, 'hit') as unknown)).toBeUndefined();
    });
  }
  expect(forbidden).toEqual([]);
  // the CSP reports violations while the sanitiser removes them
  noise.splice(0);
});

test('error page: names, values and codes are shown as plain text', async ({ page, visit, scripted }) => {
  const markup = '<img src=x onerror=globalThis.hit=1><b>b</b>{{7*7}}';
  await openError(visit, scripted, {
    error: markup,
    errorData: { [markup]: markup, __proto__x: 'p' },
    correlationId: markup,
  });
  const shown = async () => (await page.locator('main').innerText()).split(markup).length - 1;
  await expect.poll(shown).toBeGreaterThanOrEqual(4);
  await expect(page.locator('main img[src="x"]')).toHaveCount(0);
});

test('error page: the link that starts again keeps ReturnUrl', async ({ page, visit, scripted }) => {
  visit.context({});
  scripted.script.fail('getSiteSettings', 'forbidden');
  await visit.open();
  await visit.step('error');
  await page.getByRole('link', { name: wordsPattern('error.startAgain') }).click();
  await page.waitForURL(`${scripted.urls.service}${visit.returnUrl()}`);
});

test('error page: without a sign-in it links to the start page of the installation; with a sign-in it only offers to start again', async ({
  page,
  visit,
  scripted,
}) => {
  const { service, application } = scripted.urls;
  const home = page.getByRole('link', { name: wordsPattern('common.goToBoards') });
  for (const path of ['/no/such/page', '/home/error', '/home/error?errorId=e-1', '/account.login']) {
    await page.goto(`${service}/ui${path}${path.includes('?') ? '&' : '?'}skip_splash=true`);
    await visit.step('error');
    await expect(home, path).toHaveAttribute('href', `${application}/home`);
  }
  await home.click();
  await page.waitForURL(`${application}/home`);

  await visit.open('/home/error');
  await expect(page.getByRole('link', { name: wordsPattern('error.startAgain') })).toBeVisible();
  await expect(home).toHaveCount(0);
});

test('error page: no link to a start page with an unsafe address', async ({ page, visit, scripted }) => {
  for (const homeUri of [
    'javascript:globalThis.hit=1',
    'data:text/html,x',
    '//evil.example/',
    ' https://a.b/',
  ]) {
    scripted.script.answer('getConfig', { homeUri });
    await page.goto(`${scripted.urls.service}/ui/home/error?skip_splash=true`);
    await visit.step('error');
    await expect(page.locator('main a'), homeUri).toHaveCount(0);
  }
});

test('error page: the copy button and the local time, which load late, move no line', async ({
  page,
  visit,
  scripted,
}) => {
  const { promise: mayLoad, resolve: load } = Promise.withResolvers<void>();
  await page.route('**/ErrorTool-*.js', async (route) => {
    await mayLoad;
    await route.continue();
  });
  await openError(visit, scripted, record);
  const lines = page.locator('main dl bdi');
  const findTops = () => lines.evaluateAll((all) => all.map((line) => line.getBoundingClientRect().y));
  await lines.first().waitFor();
  await expect(page.locator('main dl time')).toHaveCount(0);
  const before = await findTops();
  load();
  await page.locator('main dl time').waitFor();
  expect(await findTops()).toEqual(before);
});
