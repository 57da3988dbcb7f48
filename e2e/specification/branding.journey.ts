import { logoutContextAt, recoveryContextAt } from '@anteroom/testkit/scripted/opening-scene';
import { expect, test } from './visit.ts';

const drawing =
  '<svg xmlns="http://www.w3.org/2000/svg" width="96" height="32"><rect width="96" height="32"/></svg>';

test('the pages show the name, the logo and the accent colour of the application’s brand', async ({
  page,
  visit,
  scripted,
}) => {
  const logoUrl = `${scripted.urls.application}/harbor.svg`;
  await page.route(logoUrl, async (route) => route.fulfill({ contentType: 'image/svg+xml', body: drawing }));
  visit.context({ branding: { productName: 'Harbor Boards', logoUrl, accentColour: '#6a1b9a' } });
  await visit.open();
  await visit.step('credentials');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Harbor Boards');
  await expect(page).toHaveTitle(/· Harbor Boards$/);
  await expect(page.locator('h1 img')).toHaveAttribute('src', logoUrl);
  await expect(page.locator('h1 img')).toHaveAttribute('width', '96');
  await expect(page.locator('main button[type="submit"]')).toHaveCSS('background-color', 'rgb(106, 27, 154)');
});

test('an accent colour with too little contrast is corrected, and an invalid brand is ignored', async ({
  page,
  visit,
}) => {
  // pale yellow on white has a contrast of 1.1
  visit.context({
    branding: {
      productName: '<img src=x onerror=alert(1)>',
      logoUrl: 'javascript:alert(1)',
      accentColour: '#fff59d',
    },
  });
  await visit.open();
  await visit.step('credentials');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('<img src=x onerror=alert(1)>');
  // Anteroom's mark does not belong to another name
  await expect(page.locator('h1 :is(svg, img)')).toHaveCount(0);
  const painted = await page
    .locator('main button[type="submit"]')
    .evaluate((button) => getComputedStyle(button).backgroundColor);
  expect(painted).not.toBe('rgb(255, 245, 157)');
  visit.context({ branding: { accentColour: 'url(https://evil.example)' } });
  await visit.open();
  await visit.step('credentials');
  await expect(page.locator('main button[type="submit"]')).toHaveCSS('background-color', 'rgb(20, 80, 92)');
});

const violet = { productName: 'Harbor Boards', accentColour: '#6a1b9a' };

test('the pages of sign-out and recovery show the application’s brand too', async ({
  page,
  visit,
  scripted,
}) => {
  const { script, urls } = scripted;
  script.answer('getLogoutContext', { ...logoutContextAt(urls), branding: violet });
  script.answer('getRecoveryContext', { ...recoveryContextAt(urls), branding: violet });
  for (const [path, step] of [
    ['/account/logout', 'logout'],
    ['/recovery/forgotten-password', 'forgotten-password'],
    ['/recovery/new-password', 'new-password'],
  ] as const) {
    await visit.open(path);
    await visit.step(step);
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Harbor Boards');
    await expect(page).toHaveTitle(/· Harbor Boards$/);
    await expect(page.locator('html')).toHaveCSS('--accent', /#6a1b9a/);
  }
  await visit.open('/account/logout');
  await visit.submit();
  await visit.step('logged-out');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Harbor Boards');
});

test('the chunk that applies a brand loads in parallel with the application, and only where there is a brand', async ({
  page,
  visit,
}) => {
  const requests: string[] = [];
  page.on('request', (request) => {
    if (request.resourceType() === 'script') requests.push(new URL(request.url()).pathname);
  });
  const isBrandingPart = (path: string): boolean => /\/branding-[^/]+\.js$/.test(path);
  await visit.open();
  await visit.step('credentials');
  expect(requests.filter(isBrandingPart)).toEqual([]);
  visit.context({ branding: violet });
  await visit.open();
  await visit.step('credentials');
  expect(requests.filter(isBrandingPart)).toHaveLength(1);
  const preload = page.locator('link[rel="modulepreload"]:not([crossorigin])');
  expect(isBrandingPart((await preload.getAttribute('href')) ?? '')).toBe(true);
});
