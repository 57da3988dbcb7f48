import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { portal, publicUrl } from '../../testing/application.ts';
import { authorizeAddress } from '../../testing/relying-party.ts';
import { useApplication } from '../../testing/use-application.ts';

// Attacks and faults, S02: where an address is the service's to refuse. A browser goes through some of these too
// (`e2e/journeys/security/redirects.journey.ts`).

const application = useApplication();
const file = new URL('../../testing/open-redirect-payloads.json', import.meta.url);
const payloads = JSON.parse(readFileSync(file, 'utf8')) as string[];

const sinks: Record<string, (payload: string) => string> = {
  redirect_uri: (payload) => authorizeAddress(portal, { redirect_uri: payload }).address,
  post_logout_redirect_uri: (payload) =>
    `${publicUrl}/connect/session/end?${new URLSearchParams({ client_id: portal.clientId, post_logout_redirect_uri: payload }).toString()}`,
};

test.each(Object.keys(sinks))('S02: every payload as %s leads to a page of ours', async (sink) => {
  expect(payloads.length).toBeGreaterThanOrEqual(76);
  for (const payload of payloads) {
    const { address } = await application()
      .openBrowser()
      .follow(sinks[sink]?.(payload) ?? '');
    expect(address.origin, payload).toBe(publicUrl);
    // an empty one is none: whoever signs out stays with us
    const page = payload === '' && sink !== 'redirect_uri' ? '/ui/account/logout' : '/ui/home/error';
    expect(address.pathname, payload).toBe(page);
  }
});
