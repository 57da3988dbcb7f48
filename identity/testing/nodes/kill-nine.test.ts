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
import { goBack, redeem, sendPassword, signIn } from '../journeys.ts';
import { beginSignIn } from '../relying-party.ts';
import { chaos, chaosTimeoutMs, lasting, tell } from './chaos.ts';
import { reachOverHttp } from './http-service.ts';
import { addManyPeople } from './many-people.ts';
import { startNode } from './node-process.ts';
import { placeEmbeddedDatabase } from '../embedded-template.ts';
import { createServerSchema } from './server-schema.ts';
import { until } from '../until.ts';

// Attacks and faults, F01: a process that is killed in the middle of writing. What it has said is so, what it has not said is so or not, whole.

vi.setConfig({ testTimeout: chaosTimeoutMs });

const lanes = 6;
/** The kill comes at another moment each time, over what one round of a lane takes. */
const spreadMs = 600;
const newPassword = 'lantern velvet oxbow 31';

type Credentials = { site: string; userName: string; password: string };

/** What one person has done when the process dies, as far as they were told. */
type Lane = {
  person: Credentials;
  /** A session that was begun before the password was changed. */
  session?: Browser;
  code?: { code: string; codeVerifier: string };
  codeUsed: 'no' | 'asked' | 'told';
  changed: 'no' | 'asked' | 'told';
};

const cleanUp: (() => unknown)[] = [];
afterEach(async () => {
  for (const step of cleanUp.splice(0).toReversed()) await step();
});

/** Signs in, uses the code, signs in elsewhere, and changes the password there; until the process dies. */
async function live(lane: Lane, app: Reachable): Promise<void> {
  const session = createBrowser(app, publicUrl);
  const started = await signIn(session, {}, lane.person);
  Object.assign(lane, { session, code: started });
  lane.codeUsed = 'asked';
  if ((await redeem({ app }, started)).status === 200) lane.codeUsed = 'told';
  const elsewhere = createBrowser(app, publicUrl);
  await signIn(elsewhere, {}, lane.person);
  const { returnUrl } = await beginSignIn(elsewhere, portal, { prompt: 'change_password' });
  lane.changed = 'asked';
  const answer = await elsewhere.post('/api/ui/password-reset', {
    returnUrl,
    currentPassword: lane.person.password,
    newPassword,
    newPasswordConfirmation: newPassword,
  });
  await goBack(elsewhere, answer);
  lane.changed = 'told';
}

/** What is wrong with how a lane is found after the restart. */
async function examine(
  { person, session, code, codeUsed, changed }: Lane,
  app: Reachable,
): Promise<string[]> {
  const wrong: string[] = [];
  if (session === undefined || code === undefined) return wrong;
  const browser = createBrowser(app, publicUrl);
  const withNew = await sendPassword(browser, await beginSignIn(browser, portal), {
    ...person,
    password: newPassword,
  });
  const isChanged = withNew.status === 200;
  if (!isChanged && (await sendPassword(browser, await beginSignIn(browser, portal), person)).status !== 200)
    wrong.push('neither password works');
  if (changed === 'told' && !isChanged) wrong.push('a password change that was told is lost');
  if (changed === 'no' && isChanged) wrong.push('a password has changed by itself');
  const isAlive = (await session.at(app).call('/api/ui/sites')).status === 200;
  if (isChanged && isAlive) wrong.push('the password has changed and a session of before is alive');
  if (!isChanged && !isAlive) wrong.push('a session that was told is lost');
  const again = [await redeem({ app }, code), await redeem({ app }, code)].map(({ status }) => status);
  if (codeUsed === 'told' && again.includes(200)) wrong.push('a used code worked again');
  if (again.filter((status) => status === 200).length > 1) wrong.push('a code worked twice');
  return wrong;
}

async function killAgainAndAgain(
  kind: string,
  database: Record<string, string>,
  people: readonly Credentials[],
): Promise<{ wrong: string[]; acknowledged: number }> {
  // whoever examines tries passwords that are wrong, all of them from here
  const env = { ...database, LIMIT_ADDRESS_FAILURES: '1000000' };
  const wrong: string[] = [];
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
    const living = Array.from({ length: lanes }, (_, index): Lane => {
      const person = people[round * lanes + index];
      if (person === undefined) throw new Error('there are too few people');
      return { person, codeUsed: 'no', changed: 'no' };
    });
    let isKilled = false;
    // whoever is in the middle when it dies hears nothing any more
    const ended = living.map((lane) =>
      live(lane, app).catch((error: unknown) => {
        if (!isKilled) wrong.push(`round ${round}, before the kill: ${String(error)}`);
      }),
    );
    await until(() => wrong.length > 0 || living.some(({ session }) => session !== undefined));
    await lasting(((round * 37) % spreadMs) / 1000);
    isKilled = true;
    await node.kill();
    await Promise.all(ended);
    app.close();

    node = await start();
    const restarted = reachOverHttp(node.port);
    for (const lane of living) {
      acknowledged += [lane.session, lane.codeUsed === 'told', lane.changed === 'told'].filter(
        Boolean,
      ).length;
      wrong.push(...(await examine(lane, restarted)).map((fault) => `round ${round}: ${fault}`));
    }
    restarted.close();
  }
  tell({ what: `kill -9 in the middle of writing, ${kind}`, value: chaos.kills, unit: 'calls' });
  tell({ what: 'changes that had been acknowledged', value: acknowledged, unit: 'calls' });
  tell({
    what: 'lost, half done or usable twice',
    value: wrong.length,
    unit: 'calls',
    budget: { atMost: 0 },
  });
  tell({
    what: 'longest start after a kill',
    value: Math.max(...startSeconds.slice(1)),
    unit: 's',
    budget: { atMost: 5 },
  });
  return { wrong, acknowledged };
}

describe('a process that is killed in the middle of writing', () => {
  test('F01: on the embedded database: nothing that was acknowledged is lost, nothing is half done, nothing works twice', async () => {
    const directory = mkdtempSync(join(tmpdir(), 'anteroom-kill-'));
    cleanUp.push(() => rmSync(directory, { recursive: true, force: true }));
    await placeEmbeddedDatabase(directory);
    const env = { DATA_DIR: directory };
    // once, for the demo data
    await (await startNode(env)).stop();
    const { database, close } = await openDatabase(
      { kind: 'embedded', directory },
      pino({ level: 'silent' }),
    );
    const people = await addManyPeople(database, chaos.kills * lanes);
    await close();
    expect(await killAgainAndAgain('embedded database', env, people)).toMatchObject({ wrong: [] });
  });

  test.runIf(serverIsThere())('F01: on a PostgreSQL server: the same', async () => {
    const schema = await createServerSchema();
    cleanUp.push(() => schema.drop());
    const env = { DATABASE_URL: schema.url };
    await (await startNode(env)).stop();
    const people = await addManyPeople(schema.database, chaos.kills * lanes);
    await sql`analyze`.execute(schema.database);
    expect(await killAgainAndAgain('PostgreSQL', env, people)).toMatchObject({ wrong: [] });
  });
});
