import { chownSync, mkdirSync, openSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterEach, describe, expect, inject, test } from 'vitest';
import { portal, publicUrl } from '../application.ts';
import { createBrowser } from '../browser.ts';
import { serverIsThere } from '../describe-store.ts';
import { placeEmbeddedDatabase } from '../embedded-template.ts';
import { findFreePort } from '../../../tools/start/ports.ts';
import { redeem, sendPassword, signIn } from '../journeys.ts';
import { beginSignIn } from '../relying-party.ts';
import { reachOverHttp } from './http-service.ts';
import { startNode } from './node-process.ts';
import type { NodeProcess } from './node-process.ts';
import { createServerSchema } from './server-schema.ts';
import { mayMount, mountSmallDisk } from './small-disk.ts';
import type { SmallDisk } from './small-disk.ts';

// Attacks and faults, F05: a disk is full, and then has space again.

const cleanUp: (() => unknown)[] = [];
afterEach(async () => {
  for (const step of cleanUp.splice(0).toReversed()) await step();
});

async function startOn(env: Record<string, string>, stdout?: number): Promise<NodeProcess> {
  const node = await startNode(env, stdout === undefined ? {} : { stdout });
  cleanUp.push(() => node.kill());
  return node;
}

/** Fills the disk while visitors use the service, frees it again, and verifies the responses. */
async function fillAndEmpty(node: NodeProcess, disk: SmallDisk): Promise<{ exitCode: number | null }> {
  const app = reachOverHttp(node.port);
  cleanUp.push(() => app.close());
  const openBrowser = () => createBrowser(app, publicUrl);
  const signedIn = openBrowser();
  await signIn(signedIn);

  disk.fill();
  // The first writes may still succeed, because they fit into allocated pages.
  const answers: { status: number; headers: Record<string, string> }[] = [];
  await expect
    .poll(
      async () => {
        const browser = openBrowser();
        const answer = await beginSignIn(browser, portal)
          .then((started) => sendPassword(browser, started))
          .catch(() => browser.visit(`/connect/authorize?client_id=${portal.clientId}`));
        answers.push(answer);
        return answer.status;
      },
      { timeout: 30_000, interval: 1 },
    )
    .toBe(503);
  expect(answers.at(-1)?.headers['retry-after']).toBe('2');
  expect(answers.filter(({ status }) => status >= 500 && status !== 503)).toEqual([]);
  // reading still works
  expect((await signedIn.call('/api/ui/sites')).status).toBe(200);
  expect((await openBrowser().visit('/health/live')).status).toBe(200);

  disk.empty();
  await expect.poll(async () => (await openBrowser().visit('/health/ready')).status).toBe(200);
  expect((await redeem({ app }, await signIn(openBrowser()))).status).toBe(200);
  expect((await signedIn.call('/api/ui/sites')).status).toBe(200);
  return { exitCode: node.child.process.exitCode };
}

describe.runIf(mayMount())('a full data disk [F05]', () => {
  test('a full disk under the embedded database: writes get 503, reads work, and the node recovers without a restart [F05]', async () => {
    const disk = mountSmallDisk(160);
    cleanUp.push(() => disk.remove());
    const DATA_DIR = join(disk.directory, 'data');
    await placeEmbeddedDatabase(DATA_DIR);
    const node = await startOn({ DATA_DIR });
    expect(await fillAndEmpty(node, disk)).toEqual({ exitCode: null });
  });

  test.runIf(serverIsThere())(
    'a full disk under a PostgreSQL server: writes get 503, reads work, and the node recovers without a restart [F05]',
    async () => {
      const disk = mountSmallDisk(64);
      cleanUp.push(() => disk.remove());
      const place = join(disk.directory, 'tablespace');
      mkdirSync(place, { mode: 0o700 });
      const own = await findServerUser();
      for (const path of [disk.directory, place]) chownSync(path, own.uid, own.gid);
      const name = `small_${process.pid}`;
      const schema = await createServerSchema(`default_tablespace=${name}`);
      await sql`create tablespace ${sql.id(name)} location ${sql.lit(place)}`.execute(schema.database);
      cleanUp.push(async () => {
        await sql`drop schema ${sql.id(schema.name)} cascade`.execute(schema.database);
        await sql`drop tablespace ${sql.id(name)}`.execute(schema.database);
        await schema.database.destroy();
      });
      const node = await startOn({ DATABASE_URL: schema.url });
      expect(await fillAndEmpty(node, disk)).toEqual({ exitCode: null });
    },
  );
});

describe('a log that cannot be written [F05]', () => {
  /** Signs in three times. Returns the statuses, and the exit code of the process. */
  async function signInThreeTimes(node: NodeProcess): Promise<(number | null)[]> {
    const app = reachOverHttp(node.port);
    cleanUp.push(() => app.close());
    const statuses: number[] = [];
    for (let visit = 0; visit < 3; visit += 1) {
      statuses.push((await redeem({ app }, await signIn(createBrowser(app, publicUrl)))).status);
    }
    return [...statuses, node.child.process.exitCode];
  }

  test.runIf(serverIsThere())('because its disk is full does not stop a sign-in [F05]', async () => {
    const schema = await createServerSchema();
    cleanUp.push(() => schema.drop());
    const PORT = String(await findFreePort());
    const node = await startOn({ DATABASE_URL: schema.url, PORT }, openSync('/dev/full', 'w'));
    expect(await signInThreeTimes(node)).toEqual([200, 200, 200, null]);
    expect(await node.stop()).toBe(0);
  });

  test.runIf(serverIsThere())(
    'because its reader has stopped reading does not stop a sign-in [F05]',
    async () => {
      const schema = await createServerSchema();
      cleanUp.push(() => schema.drop());
      const node = await startOn({ DATABASE_URL: schema.url, LOG_LEVEL: 'debug' });
      node.child.process.stdout?.pause();
      const app = reachOverHttp(node.port);
      cleanUp.push(() => app.close());
      // more lines than fit into the buffer of a pipe
      for (let visit = 0; visit < 40; visit += 1) {
        await Promise.all(
          Array.from({ length: 20 }, () => createBrowser(app, publicUrl).call('/api/ui/sites/harbor')),
        );
      }
      expect(await signInThreeTimes(node)).toEqual([200, 200, 200, null]);
    },
  );
});

/** Finds the user of the PostgreSQL server, who owns its data directory. */
async function findServerUser(): Promise<{ uid: number; gid: number }> {
  const schema = await createServerSchema();
  const { rows } = await sql<{ data_directory: string }>`show data_directory`.execute(schema.database);
  await schema.drop();
  const { uid, gid } = statSync(rows[0]?.data_directory ?? inject('testDatabaseUrl'));
  return { uid, gid };
}
