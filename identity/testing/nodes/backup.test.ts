import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterEach, describe, expect, inject, test } from 'vitest';
import { findPostgresProgram } from '../../../tools/test/postgres.ts';
import { demoPassword } from '../../src/demo/demo-data.ts';
import { portal, publicUrl } from '../application.ts';
import { createBrowser } from '../browser.ts';
import type { Browser, Reachable } from '../browser.ts';
import { startChild } from '../child-process.ts';
import { serverIsThere } from '../describe-store.ts';
import { placeEmbeddedDatabase } from '../embedded-template.ts';
import { askUserInfo, redeem, sendPassword, signIn } from '../journeys.ts';
import { askForTokens, beginSignIn } from '../relying-party.ts';
import { reachOverHttp } from './http-service.ts';
import { startNode } from './node-process.ts';
import type { NodeProcess } from './node-process.ts';
import { createServerSchema } from './server-schema.ts';

// Attacks and faults, F12: restoring a backup of a service with signed-in users.

/** Runs the program. A failure throws an error with its output. */
function runPostgresProgram(name: string, parameters: readonly string[]): void {
  execFileSync(findPostgresProgram(name) ?? name, parameters, { stdio: ['ignore', 'pipe', 'pipe'] });
}

const cleanUp: (() => unknown)[] = [];
afterEach(async () => {
  for (const step of cleanUp.splice(0).toReversed()) await step();
});

async function startOn(env: Record<string, string>): Promise<{ node: NodeProcess; app: Reachable }> {
  const node = await startNode(env);
  const app = reachOverHttp(node.port);
  cleanUp.push(async () => {
    app.close();
    await node.kill();
  });
  return { node, app };
}

type Before = {
  signedIn: Browser;
  spentCode: { code: string; codeVerifier: string };
  tokens: Record<string, unknown>;
  spentRefreshToken: string;
};

/** Creates a session, and an authorization code and a refresh token that have been used. */
async function signInAndUseTokens(app: Reachable): Promise<Before> {
  const signedIn = createBrowser(app, publicUrl);
  const spentCode = await signIn(signedIn, { scope: 'openid offline_access', prompt: 'consent' });
  const first = (await redeem({ app }, spentCode)).json();
  const refreshed = await refresh(app, first['refresh_token']);
  return { signedIn, spentCode, tokens: refreshed.json(), spentRefreshToken: String(first['refresh_token']) };
}

const refresh = (app: Reachable, token: unknown) =>
  askForTokens(app, publicUrl, portal, { grant_type: 'refresh_token', refresh_token: String(token) });

async function expectStateBefore(
  app: Reachable,
  { signedIn, spentCode, tokens, spentRefreshToken }: Before,
): Promise<void> {
  expect((await signedIn.at(app).call('/api/ui/sites')).status).toBe(200);
  expect((await askUserInfo({ app }, tokens['access_token'])).status).toBe(200);
  expect((await redeem({ app }, await signIn(createBrowser(app, publicUrl)))).status).toBe(200);
  // used codes and tokens stay invalid; using them again revokes the grant
  expect((await redeem({ app }, spentCode)).json()).toMatchObject({ error: 'invalid_grant' });
  expect((await refresh(app, spentRefreshToken)).json()).toMatchObject({ error: 'invalid_grant' });
  expect((await askUserInfo({ app }, tokens['access_token'])).status).toBe(401);
}

/** Runs `sessions end-everything` on a restored database. */
async function endEverything(env: Record<string, string>): Promise<number | NodeJS.Signals | null> {
  const command = startChild(new URL('../../src/cli/main.ts', import.meta.url), {
    arguments: ['sessions', 'end-everything'],
    env: { ARGON2_MEMORY_KIB: '8', ...env },
  });
  return command.ended;
}

describe.runIf(serverIsThere() && findPostgresProgram('pg_restore') !== undefined)(
  'a backup of a PostgreSQL database',
  () => {
    test('sessions stay valid, used codes and tokens stay invalid, and end-everything invalidates what became valid again [F12]', async () => {
      const schema = await createServerSchema();
      cleanUp.push(() => schema.drop());
      const original = await startOn({ DATABASE_URL: schema.url });
      const before = await signInAndUseTokens(original.app);
      // a user signs out after the backup, and an authorization code is used after the backup
      const leaving = createBrowser(original.app, publicUrl);
      const lateCode = await signIn(leaving);
      const stolen = createBrowser(original.app, publicUrl);
      for (const [name, cookie] of leaving.cookies) stolen.cookies.set(name, cookie);

      const folder = mkdtempSync(join(tmpdir(), 'anteroom-backup-'));
      cleanUp.push(() => rmSync(folder, { recursive: true }));
      const file = join(folder, 'backup');
      const url = inject('testDatabaseUrl');
      runPostgresProgram('pg_dump', ['--format=custom', `--schema=${schema.name}`, `--file=${file}`, url]);
      expect((await redeem({ app: original.app }, lateCode)).status).toBe(200);
      expect((await leaving.post('/api/ui/auth/sign-out', {})).status).toBe(204);
      await original.node.kill();

      const name = `restored_${randomBytes(6).toString('hex')}`;
      await sql`create database ${sql.id(name)}`.execute(schema.database);
      cleanUp.push(() => sql`drop database ${sql.id(name)} with (force)`.execute(schema.database));
      const restoredUrl = new URL(url);
      restoredUrl.pathname = `/${name}`;
      runPostgresProgram('pg_restore', ['--no-owner', `--dbname=${restoredUrl.href}`, file]);
      restoredUrl.searchParams.set('options', `-c search_path=${schema.name}`);
      const env = { DATABASE_URL: restoredUrl.href };

      const restored = await startOn(env);
      await expectStateBefore(restored.app, before);
      // The backup does not contain the sign-out, so the session is valid again until the command runs.
      expect((await stolen.at(restored.app).call('/api/ui/sites')).status).toBe(200);
      expect(await endEverything(env)).toBe(0);
      for (const browser of [stolen, before.signedIn])
        expect((await browser.at(restored.app).call('/api/ui/sites')).status).toBe(401);
      expect((await redeem({ app: restored.app }, lateCode)).json()).toMatchObject({
        error: 'invalid_grant',
      });
      const browser = createBrowser(restored.app, publicUrl);
      const started = await beginSignIn(browser, portal);
      expect((await sendPassword(browser, started)).json()).toMatchObject({ status: 'redirect' });
    });
  },
);

describe('a backup of the embedded database', () => {
  test('a copy of its folder, made while the service is stopped, has the same state [F12]', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'anteroom-backup-'));
    cleanUp.push(() => rmSync(folder, { recursive: true }));
    await placeEmbeddedDatabase(join(folder, 'data'));
    const original = await startOn({ DATA_DIR: join(folder, 'data') });
    const before = await signInAndUseTokens(original.app);
    expect(await original.node.stop()).toBe(0);
    cpSync(join(folder, 'data'), join(folder, 'copy'), { recursive: true });

    const env = { DATA_DIR: join(folder, 'copy') };
    const restored = await startOn(env);
    await expectStateBefore(restored.app, before);
    expect(await restored.node.stop()).toBe(0);
    expect(await endEverything(env)).toBe(0);
    const ended = await startOn(env);
    expect((await before.signedIn.at(ended.app).call('/api/ui/sites')).status).toBe(401);
    const browser = createBrowser(ended.app, publicUrl);
    const again = await sendPassword(browser, await beginSignIn(browser, portal), {
      site: 'harbor',
      userName: 'secretary@demo.example',
      password: demoPassword,
    });
    expect(again.json()).toMatchObject({ status: 'redirect' });
  });
});
