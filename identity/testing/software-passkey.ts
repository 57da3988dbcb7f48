import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto';

type Options = { challenge: string; [member: string]: unknown };

/** Deviations from a valid response, for attacks and other kinds of authenticators. */
type Deviations = {
  origin?: string;
  rpId?: string;
  isUserVerified?: boolean;
  signCount?: number;
  isSynchronised?: boolean;
  crossOrigin?: boolean;
  /** Default: the user that the passkey was created for. */
  userHandle?: string;
  credentialId?: string;
};

/** An authenticator with one passkey, and its browser (WebAuthn level 3, 6 and 7). */
export type SoftwarePasskey = {
  id: string;
  create: (options: Options, deviations?: Deviations) => Record<string, unknown>;
  get: (options: Options, deviations?: Deviations) => Record<string, unknown>;
};

const base64url = (bytes: Buffer | string): string => Buffer.from(bytes).toString('base64url');
const sha256 = (bytes: Buffer | string): Buffer => createHash('sha256').update(bytes).digest();

/** Encodes CBOR (RFC 8949): only small integers, bytes, text and maps. */
function encode(value: number | Buffer | string | Map<number | string, unknown>): Buffer {
  const head = (major: number, count: number): Buffer =>
    count < 24
      ? Buffer.from([(major << 5) | count])
      : count < 256
        ? Buffer.from([(major << 5) | 24, count])
        : Buffer.from([(major << 5) | 25, count >> 8, count & 255]);
  if (typeof value === 'number') return value < 0 ? head(1, -1 - value) : head(0, value);
  if (Buffer.isBuffer(value)) return Buffer.concat([head(2, value.length), value]);
  if (typeof value === 'string')
    return Buffer.concat([head(3, Buffer.byteLength(value)), Buffer.from(value)]);
  const members = [...value].flatMap(([name, member]) => [encode(name), encode(member as number)]);
  return Buffer.concat([head(5, value.size), ...members]);
}

export function createSoftwarePasskey(honest: { origin: string; rpId: string }): SoftwarePasskey {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const id = randomBytes(32);
  let userHandle = '';
  let signCount = 0;

  const clientDataOf = (type: string, challenge: string, { origin, crossOrigin = false }: Deviations) =>
    Buffer.from(JSON.stringify({ type, challenge, origin: origin ?? honest.origin, crossOrigin }));
  const authenticatorDataOf = (
    { rpId = honest.rpId, isUserVerified = true, isSynchronised = false, ...rest }: Deviations,
    attested = Buffer.alloc(0),
  ): Buffer => {
    signCount = isSynchronised ? 0 : signCount + 1;
    const flags =
      1 | (isUserVerified ? 4 : 0) | (isSynchronised ? 8 | 16 : 0) | (attested.length > 0 ? 64 : 0);
    const count = Buffer.alloc(4);
    count.writeUInt32BE(rest.signCount ?? signCount);
    return Buffer.concat([sha256(rpId), Buffer.from([flags]), count, attested]);
  };

  return {
    id: base64url(id),
    create(options, deviations = {}) {
      userHandle = (options['user'] as { id: string }).id;
      const { x = '', y = '' } = publicKey.export({ format: 'jwk' });
      const key = new Map<number, unknown>([
        [1, 2],
        [3, -7],
        [-1, 1],
        [-2, Buffer.from(x, 'base64url')],
        [-3, Buffer.from(y, 'base64url')],
      ]);
      const length = Buffer.from([0, id.length]);
      const attested = Buffer.concat([Buffer.alloc(16), length, id, encode(key)]);
      const attestation = new Map<string, unknown>([
        ['fmt', 'none'],
        ['attStmt', new Map()],
        ['authData', authenticatorDataOf(deviations, attested)],
      ]);
      return {
        id: base64url(id),
        rawId: base64url(id),
        type: 'public-key',
        response: {
          clientDataJSON: base64url(clientDataOf('webauthn.create', options.challenge, deviations)),
          attestationObject: base64url(encode(attestation)),
          transports: ['internal'],
        },
        clientExtensionResults: {},
      };
    },
    get(options, deviations = {}) {
      const clientData = clientDataOf('webauthn.get', options.challenge, deviations);
      const data = authenticatorDataOf(deviations);
      const credentialId = deviations.credentialId ?? base64url(id);
      return {
        id: credentialId,
        rawId: credentialId,
        type: 'public-key',
        response: {
          clientDataJSON: base64url(clientData),
          authenticatorData: base64url(data),
          signature: base64url(sign('sha256', Buffer.concat([data, sha256(clientData)]), privateKey)),
          userHandle: deviations.userHandle ?? userHandle,
        },
        clientExtensionResults: {},
      };
    },
  };
}
