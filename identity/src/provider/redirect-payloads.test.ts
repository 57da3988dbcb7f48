import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { portal, publicUrl } from '../../testing/application.ts';
import { authorizeAddress } from '../../testing/relying-party.ts';
import { useApplication } from '../../testing/use-application.ts';

// Attacks and faults, S02: redirect targets that the service must reject. Some of them are also tested in a browser
// (`e2e/journeys/security/redirects.journey.ts`).

const application = useApplication();
const file = new URL('../../testing/open-redirect-payloads.json', import.meta.url);
const payloads = JSON.parse(readFileSync(file, 'utf8')) as string[];

const sinks: Record<string, (payload: string) => string> = {
  redirect_uri: (payload) => authorizeAddress(portal, { redirect_uri: payload }).address,
  post_logout_redirect_uri: (payload) =>
    `${publicUrl}/connect/session/end?${new URLSearchParams({ client_id: portal.clientId, post_logout_redirect_uri: payload }).toString()}`,
};

test.each(Object.keys(sinks))('every payload as %s leads to a page of this service [S02]', async (sink) => {
  expect(payloads.length).toBeGreaterThanOrEqual(76);
  for (const payload of payloads) {
    const { address } = await application()
      .openBrowser()
      .follow(sinks[sink]?.(payload) ?? '');
    expect(address.origin, payload).toBe(publicUrl);
    // An empty address counts as missing, so the sign-out stays on our page.
    const page = payload === '' && sink !== 'redirect_uri' ? '/ui/account/logout' : '/ui/home/error';
    expect(address.pathname, payload).toBe(page);
  }
});
