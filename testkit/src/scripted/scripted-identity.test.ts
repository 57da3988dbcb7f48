import type { Call } from '@anteroom/contract';
import * as v from 'valibot';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { scriptedCalls } from './scripted-calls.ts';
import type { ScriptedName } from './scripted-calls.ts';
import { startScriptedIdentity } from './scripted-identity.ts';
import type { ScriptedIdentity } from './scripted-identity.ts';

const sample: Partial<Record<ScriptedName, unknown>> = {
  postSiteSettings: { site: 'northwind' },
  postUserSettings: { usernameOrEmail: 'dana' },
  authenticate: { password: 'x' },
  verifyMfaCode: { code: '123456' },
  resendMfaCode: {},
  passwordReset: { currentPassword: 'a', newPassword: 'b', newPasswordConfirmation: 'b' },
  passwordPolicy: {},
  selectSite: { site: 'northwind' },
  postMetrics: { metricData: [] },
  sendPasswordLink: { userName: 'dana' },
  sendSiteNames: { email: 'dana@northwind.example' },
  openPasswordLink: { token: 't' },
  setNewPassword: { token: 't', newPassword: 'a', newPasswordConfirmation: 'a' },
  setPreferences: { recentSitesFirst: true },
};
const query: Partial<Record<ScriptedName, string>> = {
  getSiteSettings: '?site=northwind',
  getUserSettings: '?usernameOrEmail=dana',
  getExternalRedirect: '?site=northwind',
  getErrorMessage: '?errorId=e-1',
};

describe('the scripted identity service', () => {
  let identity: ScriptedIdentity;
  beforeAll(async () => {
    identity = await startScriptedIdentity();
  });
  beforeEach(() => identity.reset());
  afterAll(async () => identity.close());

  async function ask(name: ScriptedName, body: unknown = sample[name]): Promise<Response> {
    const call: Call = scriptedCalls[name];
    const path = call.path.replace(/:\w+/, 'northwind');
    return fetch(`${identity.places.service}${path}${query[name] ?? ''}`, {
      method: call.method,
      redirect: 'manual',
      ...(body === undefined
        ? {}
        : { body: JSON.stringify(body), headers: { 'Content-Type': 'application/json' } }),
    });
  }

  test('answers every call of the contract, and every answer is the contract’s', async () => {
    for (const [name, call] of Object.entries(scriptedCalls) as [ScriptedName, Call][]) {
      const answer = await ask(name);
      expect(answer.status, name).toBeLessThan(400);
      const isOfContract = call.answer ? v.is(call.answer, await answer.json()) : true;
      expect(isOfContract, name).toBe(true);
      expect(identity.heard(name), name).toHaveLength(1);
    }
    expect(identity.breaches).toEqual([]);
  });

  test('fails with a code, its status and a wait', async () => {
    identity.script.fail('authenticate', 'rate_limit_reached', {
      retryAfterSeconds: 12,
      description: 'slowly',
    });
    const answer = await ask('authenticate');
    expect(answer.status).toBe(429);
    expect(answer.headers.get('retry-after')).toBe('12');
    expect(await answer.json()).toEqual({ code: 'rate_limit_reached', description: 'slowly' });
  });

  test('answers by what it was asked', async () => {
    identity.script.answer('getSiteExistence', ({ params }) => ({ siteExists: params.name === 'northwind' }));
    expect(await (await ask('getSiteExistence')).json()).toEqual({ siteExists: true });
  });

  test('cuts the connection', async () => {
    identity.script.cut('getRetry');
    await expect(ask('getRetry')).rejects.toThrow('fetch failed');
  });

  test('holds an answer back until it is let go', async () => {
    const letGo = identity.script.hold('getRetry');
    const answer = ask('getRetry');
    const first = await Promise.race([answer, ask('getConfig')]);
    expect(first.url).toContain('config.json');
    letGo();
    expect((await answer).status).toBe(200);
  });

  test('notes every request that breaches the contract', async () => {
    expect((await ask('authenticate', { password: 'x', isAdmin: true })).status).toBe(400);
    await fetch(`${identity.places.service}/api/ui/no-such-call`);
    expect(identity.breaches).toHaveLength(2);
    expect(identity.heard('authenticate')).toHaveLength(0);
  });

  test('gives the address of an external provider as text to whoever asks for text', async () => {
    const address = `${identity.places.service}${scriptedCalls.getExternalRedirect.path}?site=northwind`;
    const answer = await fetch(address, { headers: { Accept: 'text/plain' } });
    expect(await answer.text()).toBe(`${identity.places.application}/enterprise-sign-in`);
  });
});
