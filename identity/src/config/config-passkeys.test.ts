import { expect, test } from 'vitest';
import { ConfigError, parseConfig } from './config.ts';

const passkeysOf = (variables: Record<string, string>) => {
  try {
    return parseConfig({ NODE_ENV: 'test', ...variables }).passkeys;
  } catch (error) {
    return error instanceof ConfigError ? error.problems : error;
  }
};
const regions = {
  PUBLIC_URL: 'https://eu.id.example',
  REGIONS: 'eu=https://eu.id.example,us=https://us.id.example',
};

test('there are no passkeys without an RP ID', () => {
  expect(passkeysOf({})).toBeUndefined();
});

test('an RP ID covers its host and all subdomains, in every region', () => {
  expect(passkeysOf({ PASSKEY_RP_ID: 'localhost' })).toEqual({
    rpId: 'localhost',
    origins: ['http://localhost:4400'],
  });
  expect(passkeysOf({ ...regions, PASSKEY_RP_ID: 'id.example' })).toEqual({
    rpId: 'id.example',
    origins: ['https://eu.id.example', 'https://us.id.example'],
  });
});

test.each([
  ['of one region alone', { ...regions, PASSKEY_RP_ID: 'eu.id.example' }, 'us.id.example'],
  ['of another domain', { PUBLIC_URL: 'https://id.example', PASSKEY_RP_ID: 'd.example' }, 'id.example'],
  ['that is an address', { PASSKEY_RP_ID: 'https://id.example' }, 'must be a domain'],
  [
    'that is an IP address',
    { PUBLIC_URL: 'https://192.0.2.1', PASSKEY_RP_ID: '192.0.2.1' },
    'must be a domain',
  ],
])('an RP ID %s stops the start', (_which, variables, problem) => {
  expect(passkeysOf(variables)).toEqual([expect.stringMatching(`^PASSKEY_RP_ID: .*${problem}`)]);
});
