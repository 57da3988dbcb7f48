import { describe, expect, test } from 'vitest';
import { displayNameKey, domainKey, findInvisible, readableDomain, signInNameKey } from './names.ts';

describe('a sign-in name', () => {
  test.each([
    ['a left-to-right mark', '\u200Eeva@corp.example'],
    ['embedding and override marks', '\u202Aeva@corp.example\u202C'],
    ['the isolates of our own Arabic and Hebrew mails', '\u2068eva@corp.example\u2069'],
    ['a zero width space', 'eva@\u200Bcorp.example'],
    ['a word joiner', 'eva\u2060@corp.example'],
    ['a soft hyphen', 'eva@cor\u00ADp.example'],
    ['a byte order mark', '\uFEFFeva@corp.example'],
    ['a combining grapheme joiner', 'eva\u034F@corp.example'],
    ['a variation selector', 'eva\uFE0F@corp.example'],
    ['a Hangul filler', 'eva\u3164@corp.example'],
    ['no-break and ideographic spaces', '\u00A0eva@corp.example\u3000'],
    ['an inner space', 'eva @corp.example'],
    ['a tab and a line end', '\teva@corp.example\r\n'],
    ['a link', 'mailto:Eva@corp.example'],
    ['a link with a subject', 'MAILTO:eva@corp.example?subject=Hello'],
    ['a display name', 'Eva Holm <eva@corp.example>'],
    ['a quoted display name of a list of addresses', '"Holm, Eva" <eva@corp.example>;'],
    ['brackets', '<eva@corp.example>'],
    ['a list separator', 'eva@corp.example,'],
    ['the end of a sentence', 'eva@corp.example.'],
    ['quotation marks', '“eva@corp.example,”'],
    ['quotation marks and the end of a sentence', '«eva@corp.example».'],
    ['round brackets', '(eva@corp.example)'],
    ['an apostrophe on both sides', "'eva@corp.example'"],
    ['full-width letters', 'ｅｖａ＠ｃｏｒｐ．ｅｘａｍｐｌｅ'],
    ['capitals', 'EVA@CORP.EXAMPLE'],
  ])('with %s is the same name', (_what, typed) => {
    expect(signInNameKey(typed)).toBe('eva@corp.example');
  });

  test.each([
    ['İPEK', 'ipek'],
    ['İpek@FİRMA.example', 'ipek@firma.example'],
    ['ΟΔΥΣΣΕΥΣ', 'οδυσσευς'],
    ['Eva\u00A0Holm', 'eva holm'],
  ])('%s is the same name as %s', (typed, stored) => {
    expect(signInNameKey(typed)).toBe(signInNameKey(stored));
  });

  test.each([
    ['ıbm.example', 'ibm.example'],
    ['straße.example', 'strasse.example'],
    ['c\u043Erp.example', 'corp.example'],
  ])('of the domain %s is not a name of %s, which another organisation can own', (one, other) => {
    expect(signInNameKey(`eva@${one}`)).not.toBe(signInNameKey(`eva@${other}`));
  });

  test.each([
    'mailto:eva',
    'a?b@corp.example',
    'eva,holm@corp.example',
    'o<k',
    'eva+board@corp.example',
    "'t.hof@corp.example",
    '(eva)',
  ])('%s stays as it is', (typed) => expect(signInNameKey(typed)).toBe(typed));
});

describe('a domain', () => {
  test.each([
    ['münchen.example', 'xn--mnchen-3ya.example'],
    ['MÜNCHEN.Example', 'xn--mnchen-3ya.example'],
    ['mu\u0308nchen.example', 'xn--mnchen-3ya.example'],
    ['XN--MNCHEN-3YA.example', 'xn--mnchen-3ya.example'],
    ['münchen。example', 'xn--mnchen-3ya.example'],
    ['例え.テスト', 'xn--r8jz45g.xn--zckzah'],
    ['пример.испытание', 'xn--e1afmkfd.xn--80akhbyknj4f'],
    ['\u2068corp.example\u2069', 'corp.example'],
  ])('%s has the key %s', (typed, key) => {
    expect(domainKey(typed)).toBe(key);
    expect(domainKey(readableDomain(key))).toBe(key);
  });

  test.each(['127.1', 'a/b', 'corp.example:25', 'ä/b', 'ä%2e.example', 'ä:80'])(
    '%s, which is none, is not interpreted as an address',
    (text) => expect(domainKey(text)).toBe(text),
  );

  test('is shown in Unicode', () => {
    expect(readableDomain('xn--mnchen-3ya.example')).toBe('münchen.example');
    expect(readableDomain('corp.example')).toBe('corp.example');
  });
});

test.each([
  ['Eva Holm', undefined],
  ['eva\u200B', 'U+200B'],
  ['eva\u00A0holm', 'U+00A0'],
  ['\u{E0041}', 'U+E0041'],
  ['\u00AD\u200B', 'U+00AD'],
])('the first invisible character of %j is %s', (name, codePoint) => {
  expect(findInvisible(name)).toBe(codePoint);
});

test('a display name is found in Turkish capitals', () => {
  expect(displayNameKey('İSTANBUL Ofİs')).toBe(displayNameKey('istanbul ofis'));
});
