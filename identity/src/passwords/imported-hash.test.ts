import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isHashOf } from './hash-work.ts';
import { parseImportedHash } from './imported-hash.ts';

const password = 'quiet harbor morning 74';

/** Hashes that the named implementations created, with low costs. */
const made: Readonly<Record<string, string>> = {
  'bcrypt 2b (Python bcrypt)': '$2b$04$2b6lDtGDf1uMfYeO6ktcW.tQqPuSgLtNE7BBO2d0csMoryiryDTkW',
  'bcrypt 2a (Python bcrypt)': '$2a$04$nRfLlCekiQ3ZUZCCoHabGeLMVTRqA22gZOharWepwQ3vxI.6eLuYW',
  'bcrypt 2y (PHP)': '$2y$04$ebxdswjVxilK33waBehtXODsuQjaBIJPj7GjvSs8Hjq0ZI6GvxwUi',
  'bcrypt 2y (Apache htpasswd)': '$2y$04$0pT1QZxKGj.BstHAe6hUK.jA7t6lmAvf0w5WWbwJyQCzBmIM7H8Wq',
  'bcrypt (Django)': 'bcrypt$$2b$04$BWoidUF5EcryUAMR7aRRJucisWs0C6sfJFqmtWJ.a9Vfm6M4k/cYe',
  'bcrypt (Spring Security)': '{bcrypt}$2a$04$nRfLlCekiQ3ZUZCCoHabGeLMVTRqA22gZOharWepwQ3vxI.6eLuYW',
  'bcrypt (OpenLDAP)': '{CRYPT}$2y$04$ebxdswjVxilK33waBehtXODsuQjaBIJPj7GjvSs8Hjq0ZI6GvxwUi',
  'PBKDF2 SHA-256 (Django)':
    'pbkdf2_sha256$1000$seasalt2Seasalt2$4gnHhj3Qc7pnGoEC2mRI8nMJf+QxLZ7G9AdoE74Bugs=',
  'PBKDF2 SHA-1 (Django)': 'pbkdf2_sha1$1000$seasalt2Seasalt2$9+YioyUa7oOh1tj447QsyWPtlAo=',
  'PBKDF2 SHA-1 (passlib)': '$pbkdf2$1000$fs/Z25sz5jxH6J0zBoAQIg$Ef8SA4tvxueMq7bafje6f.ko2eA',
  'PBKDF2 SHA-256 (passlib)':
    '$pbkdf2-sha256$1000$OYewttb6HwMAgPAeY2ytFQ$Gz2c8muLAcmUA4/uoi3iT/EOzY6unDf9otBDJp5rsZ4',
  'PBKDF2 SHA-512 (passlib)':
    '$pbkdf2-sha512$1000$4Nzbu/e.N8a4dw4BAMB4bw$fTHrGFnkDdb60Wri1M3vq1.r/gToL1fFGEEVvJLOs.E6pRQG6eicswdpXI6rGWHCuqvdwwwI/UewmUZcsHzgig',
  'PBKDF2 SHA-256 (PHC, OpenSSL)':
    '$pbkdf2-sha256$i=1000,l=32$c2Vhc2FsdDJTZWFzYWx0Mg$4gnHhj3Qc7pnGoEC2mRI8nMJf+QxLZ7G9AdoE74Bugs',
  'PBKDF2 SHA-256 (Werkzeug)':
    'pbkdf2:sha256:1000$RLiSNUAfaLWBGSiK$4e3024beb8c5d7f38997e7e37f3fb6a62a1b9df9fd1a4c3ef2e2018ca00a5108',
  'SSHA (passlib)': '{SSHA}NszmY0Yd5KZR4gU+pvUQout+ANTYe49R',
  'SSHA-256 (passlib)': '{SSHA256}IQ0gzQYQsd2YXUVI73lYMo5wxlrUoYXV0TAvSSkbsZL4/z9nTEnp3Q==',
  'SSHA-512 (passlib)':
    '{SSHA512}jakXO1DY+9BD6blDQ3MkAlhzOToHEALKcT5J8wu9o23HbMeJz2SOelQniZGv07FgqxtjG6uIV4l2qNoCme/nj13L2fs/p1QK',
  'Argon2i (argon2-cffi)':
    '$argon2i$v=19$m=64,t=1,p=2$yAY76c9Gck2rbHefv0ahcw$ZFtflfcWpm8Wgg7MVGqopNyL8mugFoypS8LkORRb8tI',
  'Argon2d (argon2-cffi)':
    '$argon2d$v=19$m=64,t=1,p=2$NhJHLrwR9Zezp/mfGoW71g$LEotJ9bd7w8zbQRuDsucTRdf29w0fuLkLnknL1HjT9w',
  'Argon2id (argon2-cffi)':
    '$argon2id$v=19$m=64,t=1,p=2$tvJUri1y9G93InuvIQ15aA$0qutO3ksTN1bkAYcpjTsRPOmVz0CV/TQ4Eh1vmYHGEQ',
  'Argon2id (Django)':
    'argon2$argon2id$v=19$m=64,t=1,p=2$c2Vhc2FsdDJTZWFzYWx0Mg$iiwY72mns1d+l/+Fldvd22ttfcT+lzPw4vbG6w7sKw8',
};

/** Test vectors from ASP.NET Core Identity (`PasswordHasherTest`), which use this password. */
const aspNetPassword = 'my password';
const aspNet: Readonly<Record<string, string>> = {
  'version 2': 'AAABAgMEBQYHCAkKCwwNDg+ukCEMDf0yyQ29NYubggHIVY0sdEUfdyeM+E1LtH1uJg==',
  'version 3, SHA-1, key of 128 bits': 'AQAAAAAAAAD6AAAAEAhftMyfTJylOlZT+eEotFXd1elee8ih5WsjXaR3PA9M',
  'version 3, SHA-256, 250,000 iterations':
    'AQAAAAEAA9CQAAAAIESkQuj2Du8Y+kbc5lcN/W/3NiAZFEm11P27nrSN5/tId+bR1SwV8CO1Jd72r4C08OLvplNlCDc3oQZ8efcW+jQ=',
  'version 3, SHA-256, 10,000 iterations':
    'AQAAAAEAACcQAAAAEAABAgMEBQYHCAkKCwwNDg+yWU7rLgUwPZb1Itsmra7cbxw2EFpwpVFIEtP+JIuUEw==',
  'version 3, SHA-512, key of 512 bits':
    'AQAAAAIAAAD6AAAAIJbVi5wbMR+htSfFp8fTw8N8GOS/Sje+S/4YZcgBfU7EQuqv4OkVYmc4VJl9AGZzmRTxSkP7LtVi9IWyUxX8IAAfZ8v+ZfhjCcudtC1YERSqE1OEdXLW9VukPuJWBBjLuw==',
};

const examples: [name: string, hash: string, password: string][] = [
  ...Object.entries(made).map(([name, hash]): [string, string, string] => [name, hash, password]),
  ...Object.entries(aspNet).map(([name, hash]): [string, string, string] => [
    `ASP.NET Identity ${name}`,
    hash,
    aspNetPassword,
  ]),
];

function requireHash(given: string): string {
  const parsed = parseImportedHash(given);
  if ('fault' in parsed) throw new Error(`${given} ${parsed.fault}`);
  return parsed.hash;
}

describe('an imported hash', () => {
  test.each(examples)('%s matches only its password', async (_name, given, right) => {
    const stored = requireHash(given);
    expect(await isHashOf(stored, right)).toBe(true);
    for (const wrong of [`${right} `, right.slice(0, -1), ''])
      expect(await isHashOf(stored, wrong)).toBe(false);
  });

  test('is rejected if any position has an invalid character', () => {
    const strangers = ' \n\t\0!"#%&\'()*;<>?@[]^`|~ü'.split('');
    fc.assert(
      fc.property(
        fc.constantFrom(...examples.map(([, hash]) => hash)),
        fc.constantFrom(...strangers),
        fc.nat(),
        (hash, invalidCharacter, place) => {
          const at = place % (hash.length + 1);
          const altered = `${hash.slice(0, at)}${invalidCharacter}${hash.slice(at)}`;
          expect(parseImportedHash(altered)).toHaveProperty('fault');
        },
      ),
    );
  });

  test('is rejected if truncated, where the format has a fixed length', () => {
    const fixed = Object.entries(made).filter(([name]) => !/SSHA|Argon2/.test(name));
    fc.assert(
      fc.property(fc.constantFrom(...fixed), fc.integer({ min: 1, max: 60 }), ([, hash], missing) => {
        expect(parseImportedHash(hash.replace(/=+$/, '').slice(0, -missing))).toHaveProperty('fault');
      }),
    );
  });

  test('is rejected if it is any other text, with or without a known prefix', () => {
    const prefixes = [
      '',
      '$2b$12$',
      '$argon2id$v=19$m=64,t=1,p=2$',
      '$pbkdf2-sha256$1000$',
      'pbkdf2_sha256$',
    ];
    fc.assert(
      fc.property(fc.constantFrom(...prefixes), fc.string({ maxLength: 40 }), (prefix, text) => {
        expect(parseImportedHash(prefix + text)).toHaveProperty('fault');
      }),
    );
  });

  test.each([
    ['a password', 'quiet harbor morning 74'],
    ['an unsalted digest', '{SHA}W6ph5Mm5Pz8GgiULbPgzG37mj9g='],
    ['MD5', '5f4dcc3b5aa765d61d8327deb882cf99'],
    ['a bcrypt of the vulnerable variant 2x', '$2x$04$ebxdswjVxilK33waBehtXODsuQjaBIJPj7GjvSs8Hjq0ZI6GvxwUi'],
    ['no iterations', 'pbkdf2_sha256$0$seasalt2Seasalt2$4gnHhj3Qc7pnGoEC2mRI8nMJf+QxLZ7G9AdoE74Bugs='],
    ['a key of one byte', '$pbkdf2-sha256$i=1000,l=1$c2Vhc2FsdDJTZWFzYWx0Mg$4g'],
    ['an Argon2 with a secret', '$argon2id$v=19$m=64,t=1,p=2,keyid=AAAA$tvJUri1y9G93InuvIQ15aA$0qutO3ks'],
  ])('is rejected if it is %s', (_name, given) => {
    expect(parseImportedHash(given)).toEqual({ fault: expect.stringContaining('known format') });
  });

  const pbkdf2Key = 'seasalt2Seasalt2$4gnHhj3Qc7pnGoEC2mRI8nMJf+QxLZ7G9AdoE74Bugs=';
  const argon2Key = 'tvJUri1y9G93InuvIQ15aA$0qutO3ksTN1bkAYcpjTsRPOmVz0CV/TQ4Eh1vmYHGEQ';
  test.each([
    ['$2b$14$2b6lDtGDf1uMfYeO6ktcW.tQqPuSgLtNE7BBO2d0csMoryiryDTkW', true],
    ['$2b$15$2b6lDtGDf1uMfYeO6ktcW.tQqPuSgLtNE7BBO2d0csMoryiryDTkW', false],
    ['$2b$31$2b6lDtGDf1uMfYeO6ktcW.tQqPuSgLtNE7BBO2d0csMoryiryDTkW', false],
    [`pbkdf2_sha256$2000000$${pbkdf2Key}`, true],
    [`pbkdf2_sha256$2000001$${pbkdf2Key}`, false],
    [`pbkdf2_sha256$9999999999$${pbkdf2Key}`, false],
    // 500,001 iterations for each of four blocks
    ['AQAAAAAAB6EhAAAAEAhftMyfTJylOlZT+eEotFXd'.padEnd(124, 'A'), false],
    [`$argon2id$v=19$m=262144,t=4,p=4$${argon2Key}`, true],
    [`$argon2id$v=19$m=262145,t=1,p=4$${argon2Key}`, false],
    [`$argon2id$v=19$m=65536,t=17,p=4$${argon2Key}`, false],
    [`$argon2id$v=19$m=65536,t=1,p=65$${argon2Key}`, false],
  ])('is rejected if it costs too much: %s', (given, isTaken) => {
    const expected = isTaken
      ? { hash: expect.any(String) }
      : { fault: expect.stringContaining('costs too much') };
    expect(parseImportedHash(given)).toEqual(expected);
  });
});
