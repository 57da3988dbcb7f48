import { afterAll, beforeAll, expect, test } from 'vitest';
import { addClients } from '../../testing/add-clients.ts';
import { portal } from '../../testing/application.ts';
import { startFakeGateway } from '../../testing/fake-gateway.ts';
import type { FakeGateway } from '../../testing/fake-gateway.ts';
import { signIn } from '../../testing/journeys.ts';
import { useApplication } from '../../testing/use-application.ts';

// Uses the setting of production: private addresses are called only if the operator has allowed it for the client.
const application = useApplication({ settings: { EXTERNAL_PRIVATE_ADDRESSES: 'false' } });
let listener: FakeGateway;

beforeAll(async () => {
  listener = await startFakeGateway();
  listener.behave({ status: 200 });
});
afterAll(() => listener.close());

async function register(id: string, more: object): Promise<void> {
  const { database } = application().services;
  const { metadata } = await database
    .selectFrom('clients')
    .select('metadata')
    .where('id', '=', portal.clientId)
    .executeTakeFirstOrThrow();
  const values = {
    ...metadata,
    backchannel_logout_uri: `${listener.url}/${id}`,
    backchannel_logout_session_required: true,
    ...more,
  };
  await addClients(database, { [id]: values });
}

test('a client at a private address is notified of a sign-out only when its registration allows that', async () => {
  await register('guarded', {});
  await register('allowed', { backchannel_logout_private: true });
  for (const client of ['guarded', 'allowed']) {
    const browser = application().openBrowser();
    await signIn(browser, { client_id: client });
    expect((await browser.post('/api/ui/auth/sign-out', {})).status).toBe(204);
  }
  await application().provider.settle();
  const { metrics } = application().services;
  const counted = () => metrics.registry.metrics();
  await expect.poll(counted).toContain('anteroom_sign_out_notices_total{outcome="delivered"} 1');
  await expect.poll(counted).toContain('anteroom_sign_out_notices_total{outcome="failed"} 1');
  expect(listener.requests.map(({ path }) => path)).toEqual(['/allowed']);
});
