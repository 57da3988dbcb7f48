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
const hash = 'a0'.repeat(32);

test('without settings, requests no to-dos and accepts none', () => {
  expect(parseConfig({}).boardSystems).toEqual({ requested: undefined, keys: [] });
});

test('a key is configured by its hash, and one name can have two keys during a key change', () => {
  const { keys } = parseConfig({
    BOARD_SYSTEM_KEYS: `boards-eu:${hash},boards-eu:${'b1'.repeat(32)}`,
  }).boardSystems;
  expect(keys.map(({ name }) => name)).toEqual(['boards-eu', 'boards-eu']);
  expect(keys[0]?.hash).toEqual(Buffer.from(hash, 'hex'));
});

test('a key can be limited to named sites, in any spelling of their names', () => {
  const { keys } = parseConfig({
    BOARD_SYSTEM_KEYS: `boards-eu:${hash}:Harbor+northwind-audit,boards-us:${'b1'.repeat(32)}`,
  }).boardSystems;
  expect(keys.map(({ siteKeys }) => siteKeys && [...siteKeys])).toEqual([
    ['harbor', 'northwind-audit'],
    undefined,
  ]);
});

test.each([
  'boards-eu',
  `boards-eu:${hash}:`,
  `boards-eu:${hash}:harbor+`,
  `boards-eu:${hash}:harbor:summit`,
  hash,
  `boards-eu:${hash.slice(1)}`,
  `boards eu:${hash}`,
  `boards-eu:${'z'.repeat(64)}`,
])('a key without a valid name and hash is refused: %s', (keys) =>
  expect(problems({ BOARD_SYSTEM_KEYS: keys })).toContain('BOARD_SYSTEM_KEYS: must be name:hash'),
);

test('a token without a URL is refused, and so is a URL without https in production', () => {
  expect(problems({ BOARD_SYSTEM_TOKEN: 'x' })).toContain('BOARD_SYSTEM_TOKEN');
  expect(problems({ NODE_ENV: 'production', BOARD_SYSTEM_URL: 'http://boards.example' })).toContain(
    'BOARD_SYSTEM_URL: must begin with https',
  );
  expect(problems({ BOARD_SYSTEM_URL: 'http://boards.example' })).toBe('');
});
