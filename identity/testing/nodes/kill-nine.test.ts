import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { pino } from 'pino';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { openDatabase } from '../../src/store/open-database.ts';
import { portal, publicUrl } from '../application.ts';
import { createBrowser } from '../browser.ts';
import type { Browser, Reachable } from '../browser.ts';
import { serverIsThere } from '../describe-store.ts';
import { followToApplication, redeem, sendPassword, signIn } from '../journeys.ts';
import { beginSignIn } from '../relying-party.ts';
import { chaos, chaosTimeoutMs, waitSeconds, reportFigure } from './chaos.ts';
import { reachOverHttp } from './http-service.ts';
import { addManyUsers } from './many-users.ts';
import { startNode } from './node-process.ts';
import { placeEmbeddedDatabase } from '../embedded-template.ts';
import { createServerSchema } from './server-schema.ts';
import { until } from '../until.ts';

// Attacks and faults, F01: a process is killed while it writes. Acknowledged changes must be complete afterwards; other
// changes must be either complete or absent.

vi.setConfig({ testTimeout: chaosTimeoutMs });

const concurrency = 6;
/** The kill comes at a different time in each round, within the duration of a user's actions. */
const spreadMs = 600;
const newPassword = 'lantern velvet oxbow 31';

type Credentials = { site: string; userName: string; password: string };

/** The actions of one user before the kill, each requested or also acknowledged by the service. */
type Progress = {
  user: Credentials;
  /** A session from before the password change. */
  session?: Browser;
  code?: { code: string; codeVerifier: string };
  codeUsed: 'no' | 'requested' | 'acknowledged';
  changed: 'no' | 'requested' | 'acknowledged';
};

const cleanUp: (() => unknown)[] = [];
afterEach(async () => {
  for (const step of cleanUp.splice(0).toReversed()) await step();
});

/** Signs in, redeems the code, signs in with another browser and changes the password there, until the process is killed. */
async function act(progress: Progress, app: Reachable): Promise<void> {
  const session = createBrowser(app, publicUrl);
  const started = await signIn(session, {}, progress.user);
  Object.assign(progress, { session, code: started });
  progress.codeUsed = 'requested';
  if ((await redeem({ app }, started)).status === 200) progress.codeUsed = 'acknowledged';
  const elsewhere = createBrowser(app, publicUrl);
  await signIn(elsewhere, {}, progress.user);
  const { returnUrl } = await beginSignIn(elsewhere, portal, { prompt: 'change_password' });
  progress.changed = 'requested';
  const answer = await elsewhere.post('/api/ui/password-reset', {
    returnUrl,
    currentPassword: progress.user.password,
    newPassword,
    newPasswordConfirmation: newPassword,
  });
  await followToApplication(elsewhere, answer);
  progress.changed = 'acknowledged';
}

/** Finds violations after the restart. */
async function findViolations(
  { user, session, code, codeUsed, changed }: Progress,
  app: Reachable,
): Promise<string[]> {
  const violations: string[] = [];
  if (session === undefined || code === undefined) return violations;
  const browser = createBrowser(app, publicUrl);
  const withNew = await sendPassword(browser, await beginSignIn(browser, portal), {
    ...user,
    password: newPassword,
  });
  const isChanged = withNew.status === 200;
  if (!isChanged && (await sendPassword(browser, await beginSignIn(browser, portal), user)).status !== 200)
    violations.push('neither password works');
  if (changed === 'acknowledged' && !isChanged) violations.push('an acknowledged password change is lost');
  if (changed === 'no' && isChanged) violations.push('a password has changed without a request');
  const isAlive = (await session.at(app).call('/api/ui/sites')).status === 200;
  if (isChanged && isAlive) violations.push('the password has changed, but an earlier session is valid');
  if (!isChanged && !isAlive) violations.push('an acknowledged session is lost');
  const again = [await redeem({ app }, code), await redeem({ app }, code)].map(({ status }) => status);
  if (codeUsed === 'acknowledged' && again.includes(200)) violations.push('a redeemed code worked again');
  if (again.filter((status) => status === 200).length > 1) violations.push('a code worked twice');
  return violations;
}

async function killRepeatedly(
  kind: string,
  database: Record<string, string>,
  users: readonly Credentials[],
): Promise<{ violations: string[]; acknowledged: number }> {
  // Raises the limit, because the verification tries wrong passwords from a single address.
  const env = { ...database, LIMIT_ADDRESS_FAILURES: '1000000' };
  const violations: string[] = [];
  const startSeconds: number[] = [];
  let acknowledged = 0;
  const start = async () => {
    const beganMs = performance.now();
    const node = await startNode(env);
    startSeconds.push((performance.now() - beganMs) / 1000);
    return node;
  };
  let node = await start();
  cleanUp.push(() => node.kill());
  for (let round = 0; round < chaos.kills; round += 1) {
    const app = reachOverHttp(node.port);
    const all = Array.from({ length: concurrency }, (_, index): Progress => {
      const user = users[round * concurrency + index];
      if (user === undefined) throw new Error('there are too few users');
      return { user, codeUsed: 'no', changed: 'no' };
    });
    let isKilled = false;
    // requests in flight fail when the process is killed
    const ended = all.map((progress) =>
      act(progress, app).catch((error: unknown) => {
        if (!isKilled) violations.push(`round ${round}, before the kill: ${String(error)}`);
      }),
    );
    await until(() => violations.length > 0 || all.some(({ session }) => session !== undefined));
    await waitSeconds(((round * 37) % spreadMs) / 1000);
    isKilled = true;
    await node.kill();
    await Promise.all(ended);
    app.close();

    node = await start();
    const restarted = reachOverHttp(node.port);
    for (const progress of all) {
      acknowledged += [
        progress.session,
        progress.codeUsed === 'acknowledged',
        progress.changed === 'acknowledged',
      ].filter(Boolean).length;
      violations.push(
        ...(await findViolations(progress, restarted)).map((fault) => `round ${round}: ${fault}`),
      );
    }
    restarted.close();
  }
  reportFigure({ what: `kill -9 while writing, ${kind}`, value: chaos.kills, unit: 'calls' });
  reportFigure({ what: 'acknowledged changes', value: acknowledged, unit: 'calls' });
  reportFigure({
    what: 'lost, incomplete or usable twice',
    value: violations.length,
    unit: 'calls',
    budget: { atMost: 0 },
  });
  reportFigure({
    what: 'longest start after a kill',
    value: Math.max(...startSeconds.slice(1)),
    unit: 's',
    budget: { atMost: 5 },
  });
  return { violations, acknowledged };
}

describe('a process that is killed while writing', () => {
  test('with the embedded database loses no acknowledged change, leaves no change incomplete, and accepts no single-use value twice [F01]', async () => {
    const directory = mkdtempSync(join(tmpdir(), 'anteroom-kill-'));
    cleanUp.push(() => rmSync(directory, { recursive: true, force: true }));
    await placeEmbeddedDatabase(directory);
    const env = { DATA_DIR: directory };
    // creates the demo data
    await (await startNode(env)).stop();
    const { database, close } = await openDatabase(
      { kind: 'embedded', directory },
      pino({ level: 'silent' }),
    );
    const users = await addManyUsers(database, chaos.kills * concurrency);
    await close();
    expect(await killRepeatedly('embedded database', env, users)).toMatchObject({ violations: [] });
  });

  test.runIf(serverIsThere())('with a PostgreSQL server meets the same requirements [F01]', async () => {
    const schema = await createServerSchema();
    cleanUp.push(() => schema.drop());
    const env = { DATABASE_URL: schema.url };
    await (await startNode(env)).stop();
    const users = await addManyUsers(schema.database, chaos.kills * concurrency);
    await sql`analyze`.execute(schema.database);
    expect(await killRepeatedly('PostgreSQL', env, users)).toMatchObject({ violations: [] });
  });
});
