import { expect, test } from 'vitest';
import { createTestKeys } from '../../testing/application.ts';
import { describeStore } from '../../testing/describe-store.ts';
import { movableClock } from '../../testing/movable-clock.ts';
import { secureRandom } from '../lib/random.ts';
import type { Database } from '../store/schema.ts';
import { deleteExpired } from '../store/expired-rows.ts';
import { visitorRows } from '../store/visitor-rows.ts';
import type { ExternalProof } from './connection.ts';
import {
  findOpenRequest,
  storeProof,
  openExternalRequest,
  takeProof,
  takeRequest,
  requestLifetimeSeconds,
} from './external-requests.ts';

const keys = createTestKeys();
const proof: ExternalProof = {
  subject: 'elias',
  email: 'elias@corp.example',
  emailVerified: true,
  emailClaim: 'mail',
  firstName: undefined,
  lastName: 'Marchetti',
  authenticatedAt: new Date('2026-03-01T10:00:00Z'),
  sessionIndex: undefined,
  subjectQualifiers: [],
  idToken: undefined,
};

describeStore('requests to identity providers', (store) => {
  const prepare = async () => {
    const services = { database: store().database, clock: movableClock(), random: secureRandom, keys };
    const connectionId = await addConnection(services.database, services.clock.now());
    const { id } = await openExternalRequest(services, visitorRows, {
      connectionId,
      uid: 'sign-in',
      browserId: 'browser',
      siteId: undefined,
      forceAuthentication: true,
      secrets: { nonce: 'n' },
    });
    const keep = () =>
      services.database.transaction().execute((transaction) => storeProof(transaction, services, id, proof));
    return { services, id, connectionId, keep };
  };

  test('a pending request is found by its id, with the values for checking the response', async () => {
    const { services, id, connectionId } = await prepare();
    expect(await findOpenRequest(services, id)).toMatchObject({
      connectionId,
      uid: 'sign-in',
      siteId: undefined,
      forceAuthentication: true,
      secrets: { nonce: 'n' },
    });
    expect(await findOpenRequest(services, `${id}x`)).toBeUndefined();
    services.clock.advanceSeconds(requestLifetimeSeconds);
    expect(await findOpenRequest(services, id)).toBeUndefined();
    expect(await takeRequest(services, id, 'browser')).toBeUndefined();
  });

  test('one of 50 parallel responses with the cookie succeeds, and no response in another browser does [S14]', async () => {
    const { services, id } = await prepare();
    expect(await takeRequest(services, id, 'another browser')).toBeUndefined();
    const taken = await Promise.all(Array.from({ length: 50 }, () => takeRequest(services, id, 'browser')));
    expect(taken.filter((request) => request !== undefined)).toHaveLength(1);
  });

  test('one of 50 parallel proofs is stored, and one of 50 requests with its ticket gets the proof, in the original browser', async () => {
    const { services, id, keep } = await prepare();
    const tickets = await Promise.all(Array.from({ length: 50 }, keep));
    const [ticket = '', ...others] = tickets.filter((kept) => kept !== undefined);
    expect(others).toEqual([]);
    expect(await findOpenRequest(services, id)).toBeUndefined();

    expect(await takeProof(services, ticket, 'another browser')).toBeUndefined();
    const taken = await Promise.all(Array.from({ length: 50 }, () => takeProof(services, ticket, 'browser')));
    const found = taken.filter((one) => one !== undefined);
    expect(found).toHaveLength(1);
    expect(found[0]?.proof).toEqual(proof);
  });

  test('the database contains neither the id nor the ticket', async () => {
    const { services, id, keep } = await prepare();
    const ticket = await keep();
    const rows = JSON.stringify(
      await services.database.selectFrom('external_requests').selectAll().execute(),
    );
    expect(rows).not.toContain(id);
    expect(rows).not.toContain(ticket);
  });

  test('expired requests are deleted', async () => {
    const { services } = await prepare();
    await services.database.deleteFrom('external_requests').execute();
    await openExternalRequest(services, visitorRows, {
      connectionId: await addConnection(services.database, services.clock.now()),
      uid: 'sign-in',
      browserId: 'browser',
      siteId: undefined,
      forceAuthentication: false,
      secrets: {},
    });
    expect(await deleteExpired(services.database, 'external_requests', services.clock.now())).toBe(0);
    services.clock.advanceSeconds(requestLifetimeSeconds);
    expect(await deleteExpired(services.database, 'external_requests', services.clock.now())).toBe(1);
  });
});

async function addConnection(database: Database, now: Date): Promise<string> {
  const id = secureRandom.token(8);
  await database
    .insertInto('connections')
    .values({
      id,
      name: id,
      display_name: id,
      kind: 'openid',
      settings: '{}',
      created_at: now,
      updated_at: now,
    })
    .execute();
  return id;
}
