import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { ConfigError, parseConfig } from './config.ts';

const problems = (variables: Record<string, string>): string => {
  try {
    parseConfig(variables);
    return '';
  } catch (error) {
    if (error instanceof ConfigError) return error.problems.join('\n');
    throw error;
  }
};

test('outside production messages are sent to the outbox', () => {
  expect(parseConfig({}).messages).toMatchObject({ sms: { kind: 'outbox' }, mail: { kind: 'outbox' } });
  expect(parseConfig({ OUTBOX: 'false' }).messages).toMatchObject({
    sms: { kind: 'none' },
    mail: { kind: 'none' },
  });
});

test('each sender reports its missing settings', () => {
  expect(problems({ SMS_SENDER: 'webhook' })).toContain('SMS_WEBHOOK_URL');
  expect(problems({ SMS_SENDER: 'twilio' })).toMatch(
    /TWILIO_ACCOUNT_SID.*\n.*TWILIO_AUTH_TOKEN.*\n.*TWILIO_FROM/,
  );
  expect(problems({ MAIL_SENDER: 'smtp' })).toContain('SMTP_URL');
  expect(
    problems({
      SMS_SENDER: 'twilio',
      TWILIO_ACCOUNT_SID: 'AC0123456789',
      TWILIO_AUTH_TOKEN: 'token',
      TWILIO_FROM: '+15005550006',
      MAIL_SENDER: 'smtp',
      SMTP_URL: 'smtps://user:password@mail.example:465',
    }),
  ).toBe('');
});

test.each([
  ['TWILIO_ACCOUNT_SID', 'XX1'],
  ['TWILIO_FROM', '+0044'],
  ['SMTP_URL', 'https://mail.example'],
  ['CODE_NUMBER_PREFIXES', '44'],
  ['SMS_SENDER', 'pigeon'],
])('%s=%s is refused', (name, value) => {
  expect(problems({ [name]: value })).toContain(name);
});

test('production requires senders, https and limits for codes', () => {
  const production = { NODE_ENV: 'production', SECRETS: randomBytes(32).toString('base64url') };
  const reported = problems(production);
  expect(reported).toContain('SMS_SENDER');
  expect(reported).toContain('MAIL_SENDER');
  const lax = { CODE_LIMITS: 'off', SMS_SENDER: 'webhook', SMS_WEBHOOK_URL: 'HTTP://sms.example' };
  expect(problems({ ...production, ...lax })).toMatch(/SMS_WEBHOOK_URL: must begin with https/);
  expect(problems({ ...production, ...lax })).toContain('CODE_LIMITS');
  const mail = { MAIL_SENDER: 'smtp', SMTP_URL: 'smtps://mail.example' };
  expect(problems({ ...production, ...mail })).toContain('MAIL_FROM');
});

test('a missing list of breached passwords is reported at startup', () => {
  expect(problems({ BREACHED_PASSWORDS_FILE: '/nowhere/list.txt' })).toContain('BREACHED_PASSWORDS_FILE');
});

test('the budgets of code messages depend on the expected number of users', () => {
  expect(parseConfig({}).codes).toMatchObject({ perHour: 5000, perHourAndRange: 200 });
  const expected = { EXPECTED_USERS_PER_HOUR: '10000' };
  expect(parseConfig(expected).codes).toMatchObject({ perHour: 12_500, perHourAndRange: 500 });
});

test('a second gateway requires a first gateway, its own settings, and TLS in production', () => {
  const first = { SMS_SENDER: 'webhook', SMS_WEBHOOK_URL: 'https://sms.example' };
  expect(problems({ SMS_FALLBACK_SENDER: 'webhook' })).toContain('SMS_FALLBACK_SENDER: needs SMS_SENDER');
  expect(problems({ ...first, SMS_FALLBACK_SENDER: 'webhook' })).toContain('SMS_FALLBACK_WEBHOOK_URL');
  expect(problems({ ...first, SMS_FALLBACK_SENDER: 'twilio' })).toContain('TWILIO_AUTH_TOKEN');
  expect(problems({ SMS_SENDER: 'twilio', SMS_FALLBACK_SENDER: 'twilio' })).toContain('must be webhook');
  const both = {
    ...first,
    SMS_FALLBACK_SENDER: 'webhook',
    SMS_FALLBACK_WEBHOOK_URL: 'http://second.example',
  };
  expect(parseConfig(both).messages.smsFallback).toEqual({
    kind: 'webhook',
    url: 'http://second.example',
    token: undefined,
  });
  expect(problems({ ...both, NODE_ENV: 'production' })).toContain(
    'SMS_FALLBACK_WEBHOOK_URL: must begin with https://',
  );
});
