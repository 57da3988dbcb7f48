import { parseOptions as parseArgon2 } from '@node-rs/argon2';
import { parseOptions as parseBcrypt } from '@node-rs/bcrypt';
import { costOf, digestLengths, kindOf, unitsOf } from './hash-work.ts';

// Converts password hashes of other systems to one form (PHC string format): `$algorithm$cost$salt$key`. docs/operations.md lists the formats.

type Groups = Readonly<Record<string, string | undefined>>;
/** `read` returns undefined if the text matches the shape of the format but is not a valid hash. */
type Format = { shape: RegExp; read: (groups: Groups, text: string) => string | undefined };

const digests = '(?<digest>sha1|sha256|sha512)';
const iterations = String.raw`(?<iterations>\d{1,10})`;
const plainSalt = String.raw`(?<salt>[\w.+/=-]+)`;

const formats: readonly Format[] = [
  {
    shape: /^\$2[aby]\$(?<cost>\d\d)\$(?<salt>[./A-Za-z0-9]{22})(?<key>[./A-Za-z0-9]{31})$/,
    read({ cost, salt, key }, text) {
      parseBcrypt(text);
      return `$bcrypt$r=${Number(cost)}$${salt}$${key}`;
    },
  },
  {
    shape: /^\$argon2(?:id|i|d)\$(?:v=\d+\$)?m=\d+,t=\d+,p=\d+\$[A-Za-z0-9+/]+\$[A-Za-z0-9+/]+$/,
    read(_groups, text) {
      const { saltLen, outputLen } = parseArgon2(text);
      return saltLen >= 8 && outputLen >= 16 ? text : undefined;
    },
  },
  {
    // Django
    shape: new RegExp(`^pbkdf2_${digests}\\$${iterations}\\$${plainSalt}\\$(?<key>[^$]+)$`),
    read: (given) => pbkdf2(given, Buffer.from(given['salt'] ?? ''), fromBase64(given['key'])),
  },
  {
    // Werkzeug
    shape: new RegExp(`^pbkdf2:${digests}:${iterations}\\$${plainSalt}\\$(?<key>(?:[0-9a-f]{2})+)$`),
    read: (given) => pbkdf2(given, Buffer.from(given['salt'] ?? ''), Buffer.from(given['key'] ?? '', 'hex')),
  },
  {
    // passlib, whose Base64 has a dot instead of the plus sign, and the PHC string format
    shape: new RegExp(
      `^\\$pbkdf2(?:-${digests})?\\$(?:i=)?${iterations}(?:,l=(?<length>\\d{1,3}))?\\$(?<salt>[^$]+)\\$(?<key>[^$]+)$`,
    ),
    read({ digest = 'sha1', iterations: count, length, salt, key }) {
      const [saltBytes, keyBytes] = [salt, key].map((part) => fromBase64(part?.replaceAll('.', '+')));
      return pbkdf2(
        { digest, iterations: count },
        saltBytes,
        keyBytes,
        Number(length ?? digestLengths[digest]),
      );
    },
  },
  {
    // LDAP: the digest of the password and the salt, followed by the salt
    shape: /^\{SSHA(?<bits>256|512)?\}(?<bytes>.+)$/i,
    read({ bits = '1', bytes }) {
      const decoded = fromBase64(bytes) ?? Buffer.alloc(0);
      const digest = `sha${bits}`;
      const length = digestLengths[digest] ?? 0;
      const [key, salt] = [decoded.subarray(0, length), decoded.subarray(length)];
      return isSalt(salt) ? `$ssha-${digest}$${toBase64(salt)}$${toBase64(key)}` : undefined;
    },
  },
  {
    // ASP.NET Core Identity: version 2 starts with the byte 0, version 3 with the byte 1
    shape: /^A[A-Za-z0-9+/]{20,}={0,2}$/,
    read: (_groups, text) => readAspNet(fromBase64(text) ?? Buffer.alloc(0)),
  },
];

const aspNetDigests = ['sha1', 'sha256', 'sha512'];

/**
 * The maximum costs, about 1.5 s of CPU. They are limited because every sign-in performs the work of the most expensive
 * stored hash.
 */
const bcryptCostAtMost = 14;
const iterationsAtMost = 2_000_000;
const argon2AtMost = { memoryKib: 262_144, memoryTimesPasses: 1_048_576, lanes: 64 };

/** Prefixes before a complete hash: LDAP, Spring Security (`{bcrypt}`), Django (`argon2`, `bcrypt$`). */
const wrapper = /^(?:\{(?:crypt|bcrypt|argon2)\}|argon2|bcrypt\$)(?=\$)/i;

/** Converts the hash of another system to the stored form, or returns why that is impossible. */
export function parseImportedHash(given: string): { hash: string } | { fault: string } {
  const text = given.replace(wrapper, '');
  const hash = readHash(text);
  if (hash === undefined) return { fault: 'is not a password hash in a known format (docs/operations.md)' };
  const fault = findCostFault(hash);
  return fault === undefined ? { hash } : { fault };
}

function readHash(text: string): string | undefined {
  for (const { shape, read } of formats) {
    const match = shape.exec(text);
    if (match === null) continue;
    try {
      return read(match.groups ?? {}, text);
    } catch {
      // the libraries' parsers throw for hashes that they cannot verify
      return undefined;
    }
  }
  return undefined;
}

function readAspNet(bytes: Buffer): string | undefined {
  const [version] = bytes;
  if (version === 0 && bytes.length === 1 + 16 + 32)
    return pbkdf2({ digest: 'sha1', iterations: '1000' }, bytes.subarray(1, 17), bytes.subarray(17), 32);
  const headerLength = 13;
  if (version !== 1 || bytes.length < headerLength) return undefined;
  const saltEnd = headerLength + bytes.readUInt32BE(9);
  const [salt, key] = [bytes.subarray(headerLength, saltEnd), bytes.subarray(saltEnd)];
  const digest = aspNetDigests[bytes.readUInt32BE(1)];
  const isKey = [16, 32, 64].includes(key.length);
  return isKey
    ? pbkdf2({ digest, iterations: String(bytes.readUInt32BE(5)) }, salt, key, key.length)
    : undefined;
}

function pbkdf2(
  { digest = '', iterations: count }: Groups,
  salt: Buffer | undefined,
  key: Buffer | undefined,
  keyLength = digestLengths[digest],
): string | undefined {
  if (salt === undefined || key === undefined || key.length !== keyLength || !isSalt(salt)) return undefined;
  if (key.length < 16) return undefined;
  if (!(digest in digestLengths) || Number(count) < 1) return undefined;
  return `$pbkdf2-${digest}$i=${Number(count)},l=${keyLength}$${toBase64(salt)}$${toBase64(key)}`;
}

function isSalt(salt: Buffer): boolean {
  return salt.length >= 4 && salt.length <= 128;
}

function findCostFault(hash: string): string | undefined {
  const kind = kindOf(hash);
  const cost = (name: string): number => costOf(kind, name);
  if (kind.startsWith('$bcrypt') && (cost('r') < 4 || cost('r') > bcryptCostAtMost))
    return `costs too much: bcrypt must have a cost from 4 to ${bcryptCostAtMost}`;
  if (kind.startsWith('$pbkdf2') && unitsOf(kind) > iterationsAtMost)
    return `costs too much: PBKDF2 must have at most ${iterationsAtMost} iterations, times the blocks of the key`;
  const { memoryKib, memoryTimesPasses, lanes } = argon2AtMost;
  if (
    kind.startsWith('$argon2') &&
    (cost('m') > memoryKib || cost('m') * cost('t') > memoryTimesPasses || cost('p') > lanes)
  )
    return `costs too much: Argon2 must have at most m=${memoryKib}, p=${lanes}, and m times t at most ${memoryTimesPasses}`;
  return undefined;
}

/** Decodes base64 with or without padding; undefined if the text is not canonical. */
function fromBase64(text: string | undefined): Buffer | undefined {
  if (text === undefined) return undefined;
  const bytes = Buffer.from(text, 'base64');
  const [padded, bare] = [bytes.toString('base64'), toBase64(bytes)];
  return text === padded || text === bare ? bytes : undefined;
}

function toBase64(bytes: Buffer): string {
  return bytes.toString('base64').replace(/=+$/, '');
}
