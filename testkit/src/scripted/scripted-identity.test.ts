import type { Call } from '@anteroom/contract';
import * as v from 'valibot';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createVisitor } from '../visitor.ts';
import type { Answer, Visitor } from '../visitor.ts';
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
  refuseChange: { token: 't' },
  setNewPassword: { token: 't', newPassword: 'a', newPasswordConfirmation: 'a' },
  setPreferences: { recentSitesFirst: true },
  endAccountSession: { id: 's-1' },
  addAccountPasskey: {
    credential: {
      id: 'p',
      rawId: 'p',
      type: 'public-key',
      response: { clientDataJSON: 'a', attestationObject: 'a' },
    },
  },
  renameAccountPasskey: { id: 'p', name: 'Work laptop' },
  removeAccountPasskey: { id: 'p' },
  setUpAuthenticatorApp: { code: '123456' },
};
const query: Partial<Record<ScriptedName, string>> = {
  getSiteSettings: '?site=northwind',
  getUserSettings: '?usernameOrEmail=dana',
  getExternalRedirect: '?site=northwind',
  getErrorMessage: '?errorId=e-1',
  getAccountProof: '?purpose=confirm',
};

describe('the scripted identity service', () => {
  let identity: ScriptedIdentity;
  beforeAll(async () => {
    identity = await startScriptedIdentity();
  });
  let visitor: Visitor;
  beforeEach(async () => {
    visitor = createVisitor();
    await ask('getAuthContext');
    identity.reset();
  });
  afterAll(async () => identity.close());

  async function ask(name: ScriptedName, body: unknown = sample[name], headers = {}): Promise<Answer> {
    const call: Call = scriptedCalls[name];
    const path = call.path.replace(/:\w+/, 'northwind');
    const content = call.method === 'POST' ? { body: body ?? {} } : {};
    return visitor.ask(`${identity.places.service}${path}${query[name] ?? ''}`, { ...content, headers });
  }

  test('answers every call of the contract, and every answer is the contract’s', async () => {
    for (const [name, call] of Object.entries(scriptedCalls) as [ScriptedName, Call][]) {
      const answer = await ask(name);
      expect(answer.status, name).toBeLessThan(400);
      const isOfContract = call.answer ? v.is(call.answer, JSON.parse(answer.text)) : true;
      expect(isOfContract, name).toBe(true);
      expect(identity.heard(name), name).toHaveLength(1);
      // the browser has no session any more, and no anti-forgery cookie
      if (name === 'signOut') await ask('getAuthContext');
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
    expect(answer.headers['retry-after']).toBe('12');
    expect(JSON.parse(answer.text)).toEqual({ code: 'rate_limit_reached', description: 'slowly' });
  });

  test('answers by what it was asked', async () => {
    identity.script.answer('getSiteExistence', ({ params }) => ({ siteExists: params.name === 'northwind' }));
    expect(JSON.parse((await ask('getSiteExistence')).text)).toEqual({ siteExists: true });
  });

  test('cuts the connection', async () => {
    identity.script.cut('getRetry');
    await expect(ask('getRetry')).rejects.toThrow('socket hang up');
  });

  test('holds an answer back until it is let go', async () => {
    const letGo = identity.script.hold('getRetry');
    const answer = ask('getRetry');
    const first = await Promise.race([answer, ask('getConfig')]);
    expect(JSON.parse(first.text)).toHaveProperty('homeUri');
    letGo();
    expect((await answer).status).toBe(200);
  });

  test('notes every request that breaches the contract', async () => {
    expect((await ask('authenticate', { password: 'x', isAdmin: true })).status).toBe(400);
    await fetch(`${identity.places.service}/api/ui/no-such-call`);
    expect(identity.breaches).toHaveLength(2);
    expect(identity.heard('authenticate')).toHaveLength(0);
  });

  test('notes every answer of a script that no service may give', async () => {
    identity.script.answer('authenticate', { status: 'redirect' });
    await ask('authenticate');
    expect(identity.breaches).toEqual([expect.stringContaining('a location comes with "redirect"')]);
  });

  test('gives the address of an external provider as text to whoever asks for text', async () => {
    const answer = await ask('getExternalRedirect', undefined, { Accept: 'text/plain' });
    expect(answer.text).toBe(`${identity.places.application}/enterprise-sign-in`);
  });
});
