import type { Call } from '@anteroom/contract';
import * as v from 'valibot';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createVisitor } from '../visitor.ts';
import type { Answer, Visitor } from '../visitor.ts';
import { scriptedCalls } from './scripted-calls.ts';
import type { ScriptedName } from './scripted-calls.ts';
import { startScriptedIdentity } from './scripted-identity.ts';
import type { ScriptedIdentity } from './scripted-identity.ts';

const attestation = {
  id: 'p',
  rawId: 'p',
  type: 'public-key',
  response: { clientDataJSON: 'a', attestationObject: 'a' },
};
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
  pinSite: { site: 'northwind', isPinned: true },
  forgetAccount: { id: 'one' },
  endAccountSession: { id: 's-1' },
  addAccountPasskey: { credential: attestation },
  enrolPasskey: { credential: attestation },
  signInWithPasskey: {
    credential: {
      ...attestation,
      response: { clientDataJSON: 'a', authenticatorData: 'a', signature: 'a' },
    },
  },
  renameAccountPasskey: { id: 'p', name: 'Work laptop' },
  removeAccountPasskey: { id: 'p' },
  setUpAuthenticatorApp: { code: '123456' },
  sendPhoneNumberCode: { phoneNumber: '+442079460777' },
  setPhoneNumber: { phoneNumber: '+442079460777', code: '123456' },
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
    return visitor.ask(`${identity.urls.service}${path}${query[name] ?? ''}`, { ...content, headers });
  }

  test('answers every call of the contract in accordance with it', async () => {
    for (const [name, call] of Object.entries(scriptedCalls) as [ScriptedName, Call][]) {
      const answer = await ask(name);
      expect(answer.status, name).toBeLessThan(400);
      const isOfContract = call.answer ? v.is(call.answer, JSON.parse(answer.text)) : true;
      expect(isOfContract, name).toBe(true);
      expect(identity.received(name), name).toHaveLength(1);
      // After the sign-out, the browser needs a new session and anti-forgery cookie.
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

  test('can reply depending on the input', async () => {
    identity.script.answer('getSiteExistence', ({ params }) => ({ siteExists: params.name === 'northwind' }));
    expect(JSON.parse((await ask('getSiteExistence')).text)).toEqual({ siteExists: true });
  });

  test('closes the connection', async () => {
    identity.script.cut('getRetry');
    await expect(ask('getRetry')).rejects.toThrow('socket hang up');
  });

  test('delays a response until it is released', async () => {
    const release = identity.script.hold('getRetry');
    const answer = ask('getRetry');
    const first = await Promise.race([answer, ask('getConfig')]);
    expect(JSON.parse(first.text)).toHaveProperty('homeUri');
    release();
    expect((await answer).status).toBe(200);
  });

  test('records every request that violates the contract', async () => {
    expect((await ask('authenticate', { password: 'x', isAdmin: true })).status).toBe(400);
    await fetch(`${identity.urls.service}/api/ui/no-such-call`);
    expect(identity.breaches).toHaveLength(2);
    expect(identity.received('authenticate')).toHaveLength(0);
  });

  test('records every scripted response that violates the contract', async () => {
    identity.script.answer('authenticate', { status: 'redirect' });
    await ask('authenticate');
    expect(identity.breaches).toEqual([expect.stringContaining('"location" is present exactly when')]);
  });

  test('returns the URL of an external provider as text if the caller accepts text', async () => {
    const answer = await ask('getExternalRedirect', undefined, { Accept: 'text/plain' });
    expect(answer.text).toBe(`${identity.urls.application}/enterprise-sign-in`);
  });
});
