// @vitest-environment happy-dom
import { afterEach, expect, test, vi } from 'vitest';
import { parseArrival } from './arrival.ts';
import { begin } from './begin.ts';

afterEach(() => {
  delete window.anteroomEarly;
});

test('the context is requested with returnUrl and site before the application loads, which takes it once [7.4]', async () => {
  const requested: string[] = [];
  vi.stubGlobal('fetch', (address: string) => {
    requested.push(address);
    return Promise.resolve(Response.json({ code: 'not_found' }, { status: 404 }));
  });
  document.cookie = 'anteroom_site=harbor';
  const { early } = begin(parseArrival(new URL('https://id.example/ui/account/login?ReturnUrl=%2Fgo')));
  const address = '/api/ui/auth-context?returnUrl=%2Fgo&site=harbor';
  expect(requested).toContain(address);
  expect((await early.takeAnswer(address))?.status).toBe(404);
  expect(early.takeAnswer(address)).toBeUndefined();
});
