import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { demoParty, demoPassword, demoUsers } from '@anteroom/testkit/demo-users';
import type { RelyingParty } from '@anteroom/testkit/sign-in-visit';
import { beginSignIn, redeemCode, signInWithPassword } from '@anteroom/testkit/sign-in-visit';
import { isRunning, startProduct } from '@anteroom/testkit/started-product';
import { createVisitor } from '@anteroom/testkit/visitor';
import type { Visitor } from '@anteroom/testkit/visitor';
import { expect, test } from '@playwright/test';
import { placeEmbeddedDatabase } from '../../identity/testing/embedded-template.ts';
import { findFreePort } from '../../tools/start/ports.ts';

const secretary = { site: 'harbor', userName: demoUsers.secretary, password: demoPassword };

interface Installation {
  env: Record<string, string>;
  issuer: string;
  party: RelyingParty;
}

const folders: string[] = [];
test.afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

/** A separate data directory and ports, the same for every start in the journey. */
async function prepareInstallation(): Promise<Installation> {
  const folder = mkdtempSync(join(tmpdir(), 'anteroom-kill-'));
  folders.push(folder);
  await placeEmbeddedDatabase(folder);
  const [port, demoPort] = [await findFreePort(), await findFreePort()];
  return {
    env: { PORT: String(port), DEMO_PORT: String(demoPort), DATA_DIR: folder },
    issuer: `http://localhost:${port}`,
    party: demoParty(demoPort),
  };
}

/**
 * Signs in visitors one after the other until the service has died. Adds each acknowledged sign-in to `acknowledged`.
 */
async function signInUntilGone({ issuer, party }: Installation, acknowledged: Visitor[]): Promise<void> {
  for (;;) {
    const visitor = createVisitor();
    try {
      const signIn = await beginSignIn(visitor, issuer, party);
      const location = await signInWithPassword(signIn, secretary);
      acknowledged.push(visitor);
      await redeemCode(signIn, location);
    } catch (error) {
      // the killed process breaks the connection; any other error is a fault of the service
      if (error instanceof Error && 'code' in error && /^ECONN|EPIPE/.test(String(error.code))) return;
      throw error;
    }
  }
}

/** Whether the session exists: a new sign-in then returns to the application without a prompt. */
async function isStillSignedIn(visitor: Visitor, { issuer, party }: Installation): Promise<boolean> {
  const query = new URLSearchParams({
    client_id: party.clientId,
    redirect_uri: party.redirectUri,
    response_type: 'code',
    scope: 'openid',
    code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
    code_challenge_method: 'S256',
  });
  let address = `${issuer}/connect/authorize?${query.toString()}`;
  // the provider checks the service's session if it has none itself
  for (let hop = 0; hop < 4 && address.startsWith(`${issuer}/connect/`); hop += 1) {
    const { location } = (await visitor.ask(address)).headers;
    address = new URL(String(location), issuer).href;
  }
  return address.startsWith(party.redirectUri);
}

test('an acknowledged sign-in survives kill -9 of the service [F01]', async () => {
  const installation = await prepareInstallation();
  const acknowledged: Visitor[] = [];
  for (const round of [1, 2]) {
    const product = await startProduct(installation.env);
    const known = acknowledged.length;
    // two: an attempt that a kill cuts short stays counted as a failure, and the fifth failure brings a wait
    const signIns = [1, 2].map(async () => signInUntilGone(installation, acknowledged));
    await expect.poll(() => acknowledged.length, { message: `round ${round}` }).toBeGreaterThan(known + 8);
    product.kill(product.processIds.service);
    await Promise.all(signIns);
    expect(await product.ended).toBe(1);
    expect(product.output()).toContain('The sign-in service has stopped (SIGKILL).');
  }
  const product = await startProduct(installation.env);
  const kept = await Promise.all(acknowledged.map(async (visitor) => isStillSignedIn(visitor, installation)));
  expect(kept.filter((isKept) => !isKept)).toHaveLength(0);
  expect(await product.stop()).toBe(0);
});

test('a second start with the same ports or data fails with one line; kill -9 of npm start leaves no process, and the next start works', async () => {
  const installation = await prepareInstallation();
  const first = await startProduct(installation.env);
  await expect(startProduct(installation.env)).rejects.toThrow(/Port \d+ is in use: .*\n$/);
  const [port, demoPort] = [await findFreePort(), await findFreePort()];
  const elsewhere = { ...installation.env, PORT: String(port), DEMO_PORT: String(demoPort) };
  await expect(startProduct(elsewhere)).rejects.toThrow(/\n[^\n]*in use by another[^\n]*\n$/);

  const [own = 0] = first.processIds.all.slice(-1);
  first.kill(own);
  await expect.poll(() => first.processIds.all.filter(isRunning)).toEqual([]);

  const second = await startProduct(installation.env);
  expect(second.output().trimEnd().split('\n').at(-1)).toBe('Anteroom is ready');
  expect(await second.stop()).toBe(0);
});
