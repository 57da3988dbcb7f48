import { afterAll, beforeAll, expect, test } from 'vitest';
import type { FastifyInstance } from 'fastify';
import { startScriptedProvider } from '../testing/scripted-provider.ts';
import type { ScriptedProvider } from '../testing/scripted-provider.ts';
import { buildDemo } from './app.ts';

let eu: ScriptedProvider;
let us: ScriptedProvider;
let portal: FastifyInstance;

beforeAll(async () => {
  [eu, us] = [await startScriptedProvider('director'), await startScriptedProvider('director')];
  portal = buildDemo({
    port: 0,
    publicUrl: 'http://localhost:4401',
    issuer: eu.issuer,
    otherIssuers: [us.issuer],
    clientId: 'director',
    company: false,
  });
});
afterAll(async () => {
  await portal.close();
  await eu.close();
  await us.close();
});

const cookieOf = (answer: { headers: Record<string, unknown> }): string =>
  String(answer.headers['set-cookie']).split(';')[0] ?? '';
const initiate = (query: Record<string, string>) =>
  portal.inject({ url: `/initiate-sign-in?${new URLSearchParams(query).toString()}` });

test('a login initiated by another region starts at that region, with its hint', async () => {
  const answer = await initiate({ iss: us.issuer, login_hint: 'director@demo.example' });
  const address = new URL(String(answer.headers.location));
  expect(address.origin).toBe(us.issuer);
  expect(address.searchParams.get('login_hint')).toBe('director@demo.example');
});

test('a login initiated by another region keeps the language and the target page', async () => {
  const target = 'http://localhost:4401/agenda';
  const begun = await initiate({ iss: us.issuer, ui_locales: 'ar', target_link_uri: target });
  const parameters = new URL(String(begun.headers.location)).searchParams;
  expect([parameters.get('ui_locales'), parameters.get('target_link_uri')]).toEqual(['ar', target]);
  us.claims = { nonce: parameters.get('nonce') };
  const query = new URLSearchParams({ iss: us.issuer, code: 'code', state: parameters.get('state') ?? '' });
  const arrived = await portal.inject({
    url: `/callback?${query.toString()}`,
    headers: { cookie: cookieOf(begun) },
  });
  expect(arrived.headers.location).toBe('/agenda');
});

test.each([
  'http://evil.test/agenda',
  '//evil.test/agenda',
  'http://localhost:4401.evil.test/agenda',
  'http://localhost:4401@evil.test/agenda',
  'http://localhost:4401/agenda/../go/sign-in',
  'blob:http://localhost:4401/agenda',
  'javascript:alert(1)',
  '/sign-out',
])('the target %j is ignored [S50]', async (target) => {
  const begun = await initiate({ iss: us.issuer, target_link_uri: target });
  expect(new URL(String(begun.headers.location)).searchParams.has('target_link_uri')).toBe(false);
});

test('a visitor who follows a link into the portal signs in first and then returns to it', async () => {
  const answer = await portal.inject({ url: '/agenda' });
  const address = new URL(String(answer.headers.location));
  expect(address.origin).toBe(eu.issuer);
  expect(address.searchParams.get('target_link_uri')).toBe('http://localhost:4401/agenda');
});

test.each(['http://evil.test', '', 'http://localhost:4401'])(
  'no login is initiated for the issuer %j',
  async (iss) => {
    const answer = await initiate({ iss });
    expect([answer.statusCode, answer.headers.location]).toEqual([400, undefined]);
  },
);

test('an answer is accepted only from the requested issuer, not from another trusted issuer [S50]', async () => {
  const begun = await initiate({ iss: us.issuer });
  const parameters = new URL(String(begun.headers.location)).searchParams;
  const comeBack = (iss: string) => {
    const query = new URLSearchParams({ iss, code: 'code', state: parameters.get('state') ?? '' });
    return portal.inject({ url: `/callback?${query.toString()}`, headers: { cookie: cookieOf(begun) } });
  };
  const sent = [eu.redeemed.length, us.redeemed.length];
  expect((await comeBack(eu.issuer)).statusCode).toBe(400);
  expect([eu.redeemed.length, us.redeemed.length]).toEqual(sent);
});

test('a user of another region switches sites in that region, and only that region can sign the user out', async () => {
  const begun = await initiate({ iss: us.issuer });
  const parameters = new URL(String(begun.headers.location)).searchParams;
  us.claims = { nonce: parameters.get('nonce'), site_name: 'Lakeside Partners', sid: 'their-sid' };
  const query = new URLSearchParams({ iss: us.issuer, code: 'code', state: parameters.get('state') ?? '' });
  const signedIn = await portal.inject({
    url: `/callback?${query.toString()}`,
    headers: { cookie: cookieOf(begun) },
  });
  const headers = { cookie: cookieOf(signedIn) };
  expect((await portal.inject({ url: '/', headers })).body).toContain('Lakeside Partners');
  const moved = await portal.inject({ url: '/go/switch-site', headers });
  expect(new URL(String(moved.headers.location)).origin).toBe(us.issuer);

  const sendNotice = (iss: string) =>
    portal.inject({ url: '/front-channel-sign-out', query: { iss, sid: 'their-sid' } });
  await sendNotice(eu.issuer);
  expect((await portal.inject({ url: '/', headers })).body).toContain('Lakeside Partners');
  await sendNotice(us.issuer);
  expect((await portal.inject({ url: '/', headers })).body).not.toContain('Lakeside Partners');
});
