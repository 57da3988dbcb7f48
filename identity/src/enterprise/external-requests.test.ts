import { expect, test } from 'vitest';
import { createTestKeys } from '../../testing/application.ts';
import { describeStore } from '../../testing/describe-store.ts';
import { movableClock } from '../../testing/movable-clock.ts';
import { secureRandom } from '../lib/random.ts';
import type { Database } from '../store/schema.ts';
import type { ExternalProof } from './connection.ts';
import {
  findOpenRequest,
  keepProof,
  openExternalRequest,
  pruneExternalRequests,
  takeProof,
  takeRequest,
  tripSeconds,
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

describeStore('trips to a provider', (store) => {
  const world = async () => {
    const services = { database: store().database, clock: movableClock(), random: secureRandom, keys };
    const connectionId = await addConnection(services.database, services.clock.now());
    const { id } = await openExternalRequest(services, {
      connectionId,
      uid: 'sign-in',
      browserId: 'browser',
      siteId: undefined,
      forceAuthentication: true,
      secrets: { nonce: 'n' },
    });
    const keep = () =>
      services.database.transaction().execute((transaction) => keepProof(transaction, services, id, proof));
    return { services, id, connectionId, keep };
  };

  test('a trip is found by its id as long as it waits, with what its answer is checked with', async () => {
    const { services, id, connectionId } = await world();
    expect(await findOpenRequest(services, id)).toMatchObject({
      connectionId,
      uid: 'sign-in',
      siteId: undefined,
      forceAuthentication: true,
      secrets: { nonce: 'n' },
    });
    expect(await findOpenRequest(services, `${id}x`)).toBeUndefined();
    services.clock.advanceSeconds(tripSeconds);
    expect(await findOpenRequest(services, id)).toBeUndefined();
    expect(await takeRequest(services, id, 'browser')).toBeUndefined();
  });

  test('of 20 parallel answers with the cookie one goes on, and none in another browser (S14)', async () => {
    const { services, id } = await world();
    expect(await takeRequest(services, id, 'another browser')).toBeUndefined();
    const taken = await Promise.all(Array.from({ length: 20 }, () => takeRequest(services, id, 'browser')));
    expect(taken.filter((request) => request !== undefined)).toHaveLength(1);
  });

  test('of 20 parallel proofs one is kept, and of 20 visits with its ticket one finds it, in its own browser', async () => {
    const { services, id, keep } = await world();
    const tickets = await Promise.all(Array.from({ length: 20 }, keep));
    const [ticket = '', ...others] = tickets.filter((kept) => kept !== undefined);
    expect(others).toEqual([]);
    expect(await findOpenRequest(services, id)).toBeUndefined();

    expect(await takeProof(services, ticket, 'another browser')).toBeUndefined();
    const taken = await Promise.all(Array.from({ length: 20 }, () => takeProof(services, ticket, 'browser')));
    const found = taken.filter((one) => one !== undefined);
    expect(found).toHaveLength(1);
    expect(found[0]?.proof).toEqual(proof);
  });

  test('neither the id nor the ticket is in the database', async () => {
    const { services, id, keep } = await world();
    const ticket = await keep();
    const rows = JSON.stringify(
      await services.database.selectFrom('external_requests').selectAll().execute(),
    );
    expect(rows).not.toContain(id);
    expect(rows).not.toContain(ticket);
  });

  test('trips that are over are forgotten', async () => {
    const { services } = await world();
    await services.database.deleteFrom('external_requests').execute();
    await openExternalRequest(services, {
      connectionId: await addConnection(services.database, services.clock.now()),
      uid: 'sign-in',
      browserId: 'browser',
      siteId: undefined,
      forceAuthentication: false,
      secrets: {},
    });
    expect(await pruneExternalRequests(services.database, services.clock.now())).toBe(0);
    services.clock.advanceSeconds(tripSeconds);
    expect(await pruneExternalRequests(services.database, services.clock.now())).toBe(1);
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
