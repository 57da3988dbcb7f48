import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { calls, supportedLocales } from '@anteroom/contract';
import * as v from 'valibot';
import { describe, expect, test } from 'vitest';
import { textsIn } from '../texts/catalogue.ts';
import { createBlocklist } from './policy-blocklist.ts';
import { findBrokenRule } from './policy-rules.ts';
import type { Names } from './policy-rules.ts';
import { describePolicy, policyOf, sitePasswordPolicy } from './policy.ts';
import type { SitePasswordPolicy } from './policy.ts';

const blocklist = createBlocklist();
const names: Names = { user: ['director@demo.example'], site: ['harbor', 'Harbor Trust'] };
const site = (passwordPolicy?: SitePasswordPolicy, asksForSecondFactor = false) => ({
  asksForSecondFactor,
  passwordPolicy,
});
const alone = policyOf(undefined);
const withSecondFactor = policyOf(site(undefined, true));

const brokenRule = async (password: string, policy = alone): Promise<string | undefined> =>
  (await findBrokenRule(policy, password, names, blocklist))?.rule;

/** Text that is in no dictionary. */
const noise = (length: number): string => 'xq7 vmd zu3k '.repeat(40).slice(0, length);

describe('length', () => {
  test.each([
    [7, 'minimumLength', 'minimumLength'],
    [8, 'minimumLength', undefined],
    [14, 'minimumLength', undefined],
    [15, undefined, undefined],
    [64, undefined, undefined],
    [128, undefined, undefined],
    [256, undefined, undefined],
    [257, 'maximumLength', 'maximumLength'],
    [1000, 'maximumLength', 'maximumLength'],
  ])('%i characters: alone %s, with a second factor %s', async (length, whenAlone, besideSecondFactor) => {
    const password = `${noise(length - 1)}!`;
    expect(await brokenRule(password)).toBe(whenAlone);
    expect(await brokenRule(password, withSecondFactor)).toBe(besideSecondFactor);
  });

  test('a megabyte is rejected for its length [S41]', async () => {
    expect(await brokenRule('x'.repeat(1_000_000))).toBe('maximumLength');
  });

  test('each code point counts as one character, after NFC: an emoji, and a letter with a combining mark [S41]', async () => {
    expect(await brokenRule('🦀🐙🦑🐚🐳🦈🐬🐟🐠🐡🦭🐋🪸🦐')).toBe('minimumLength');
    expect(await brokenRule('🦀🐙🦑🐚🐳🦈🐬🐟🐠🐡🦭🐋🪸🦐🦞')).toBeUndefined();
    expect(await brokenRule('qe\u0301vzu\u0308kwo\u0302pxf')).toBe('minimumLength');
  });

  test('leading and trailing spaces count and are kept', async () => {
    expect(await brokenRule('  vmd zu3k xq  ')).toBeUndefined();
    expect(await brokenRule('vmd zu3k xq')).toBe('minimumLength');
  });
});

describe('the blocklist', () => {
  test('has at least 100,000 breached passwords offline, and at least 100,000 words, names and passwords [I14, S41]', async () => {
    const { breached, common } = await blocklist.size();
    expect(breached).toBeGreaterThan(400_000);
    expect(common).toBeGreaterThan(100_000);
  });

  test('accepts an additional list of the operator', async () => {
    const directory = mkdtempSync(join(tmpdir(), 'breached-'));
    const file = join(directory, 'list.txt');
    writeFileSync(file, 'Our Own Secret Handshake\r\nzqx-vmd-71-wfp\n\n');
    const longer = createBlocklist(file);
    expect(await longer.isBreached('our own secret handshake')).toBe(true);
    expect(await longer.isBreached('zqx-vmd-71-wfp')).toBe(true);
    expect(await longer.isBreached('password1')).toBe(true);
    expect((await longer.size()).breached).toBe((await blocklist.size()).breached + 2);
    rmSync(directory, { recursive: true });
  });

  test.each([
    'password1',
    'Password1',
    'PASSWORD1',
    'qwertyuiop',
    'iloveyou1',
    '1qaz2wsx3edc',
    '1234567890123456',
    'qwertyuiopasdfgh',
    'papaandthewhitehouse',
  ])('rejects a breached password, ignoring case: %s', async (password) => {
    expect(await brokenRule(password, withSecondFactor)).toBe('notBreached');
  });

  test.each([
    'P@ssw0rd1!',
    'Sunshine2026',
    'thursdaythursday',
    'christopher12345',
    '2026!Jennifer',
    'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa!',
    'abcabcabcabcabc',
    '123456789012345678901234567',
    'zyxwvutsrqponmlkjih',
    'lkjhgfdsapoiuytrewq',
  ])('rejects a word or pattern with few additional characters: %s', async (password) => {
    expect(await brokenRule(password, withSecondFactor)).toBe('notCommon');
  });

  test.each([
    'quiet harbor morning 74',
    'correct horse battery staple',
    'sunshine 8302957361048',
    'zwölf Boxkämpfer jagen Viktor',
    'الرحلة إلى المرفأ القديم',
  ])('accepts a unique passphrase: %s', async (password) => {
    expect(await brokenRule(password)).toBeUndefined();
  });

  test('normalises input from other keyboards', async () => {
    expect(await brokenRule('ｐａｓｓｗｏｒｄ１', withSecondFactor)).toBe('notBreached');
  });
});

describe('names', () => {
  test.each(['director-vmd', 'DIRECTOR@demo.example', 'xq director zu', 'demo vmd zu'])(
    'rejects a password that is long only because of the user’s name: %s',
    async (password) => {
      expect(await brokenRule(password, withSecondFactor)).toBe('notContainsUserName');
    },
  );

  test.each(['harbor vmd', 'Harbor7Trust', 'vmdHARBORzu'])(
    'rejects a password that is long only because of the site’s name: %s',
    async (password) => {
      expect(await brokenRule(password, withSecondFactor)).toBe('notContainsSiteName');
    },
  );

  test('accepts a name in a password that is long enough without it', async () => {
    expect(await brokenRule('quiet harbor morning 74')).toBeUndefined();
  });
});

describe('a site that requires character classes', () => {
  const strict = policyOf(
    site({ minimumUppercase: 1, minimumLowercase: 1, minimumDigits: 2, minimumSpecial: 1 }, true),
  );
  test.each([
    ['xqvmdzuk k7!', 'minimumUppercase'],
    ['XQVMDZUK K7!', 'minimumLowercase'],
    ['xqVMDzuk k7!', 'minimumDigits'],
    ['xqVMDzukK77x', 'minimumSpecial'],
    ['xqVMDzuk 77!', undefined],
    ['ÄÖxqvm ٣٤!zu', undefined],
  ])('%s breaks %s', async (password, rule) => {
    expect(await brokenRule(password, strict)).toBe(rule);
  });

  test('can require only some of its character classes', async () => {
    const three = policyOf(
      site(
        { minimumUppercase: 1, minimumLowercase: 1, minimumDigits: 1, minimumSpecial: 1, atLeast: 3 },
        true,
      ),
    );
    expect(await brokenRule('xqvmd zukw', three)).toBe('atLeast');
    expect(await brokenRule('xqvmd zuk7', three)).toBeUndefined();
    expect(await brokenRule('xqVMD7zukw', three)).toBeUndefined();
  });

  test('requires them only if its policy says so', async () => {
    expect(await brokenRule('xq vmd zuk wfp jb')).toBeUndefined();
    const { policyLines } = describePolicy(alone);
    expect(policyLines.map(({ line }) => line)).toEqual([
      'minimumLength',
      'maximumLength',
      'notCommon',
      'notBreached',
      'notContainsUserName',
      'notContainsSiteName',
      'notReused',
    ]);
  });
});

describe('the policy in the wire contract', () => {
  test('has lines with the numbers in their texts, and nested alternatives [I21]', () => {
    const answer = describePolicy(
      policyOf(site({ minimumLength: 12, previous: 0, minimumDigits: 2, minimumSpecial: 1, atLeast: 1 })),
    );
    expect(answer).toMatchObject({ minimumLength: 12, maximumLength: 256, minimumDigits: 2, atLeast: 1 });
    expect(answer.policyLines.at(-1)).toEqual({
      line: 'atLeast',
      subPolicies: [{ line: 'minimumDigits' }, { line: 'minimumSpecial' }],
    });
    expect(answer.policyLines.map(({ line }) => line)).not.toContain('notReused');
    expect(v.is(calls.passwordPolicy.answer, answer)).toBe(true);
  });

  test('every rule has a text in every language', () => {
    for (const policy of [alone, policyOf(site({ minimumUppercase: 1, minimumLowercase: 1, atLeast: 1 }))]) {
      for (const { line } of describePolicy(policy).policyLines) {
        for (const language of supportedLocales)
          expect(textsIn(language).passwordRules, language).toHaveProperty(line);
      }
    }
  });

  test('a site cannot require fewer than 8 characters', () => {
    expect(v.is(sitePasswordPolicy, { minimumLength: 7 })).toBe(false);
    expect(v.is(sitePasswordPolicy, { minimumLength: 8 })).toBe(true);
    expect(v.is(sitePasswordPolicy, { expiresAfterDays: 90 })).toBe(false);
  });
});
