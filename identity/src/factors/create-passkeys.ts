import { createHash } from 'node:crypto';
import { passkeyNameMaximumLength } from '@anteroom/contract';
import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server';
import * as v from 'valibot';
import type { Config } from '../config/config.ts';
import type { Database, DatabaseTransaction } from '../store/schema.ts';
import type { StoreContext } from '../store/store-context.ts';
import { challengeSeconds, createChallenges } from './passkey-challenges.ts';
import type { ChallengeSubject } from './passkey-challenges.ts';
import { findPasskey, insertPasskey, listPasskeys, recordUse } from './passkeys-store.ts';
import { PasskeyRefused } from './passkeys.ts';
import type { CeremonyOptions, Passkeys } from './passkeys.ts';

/** Loaded by the first ceremony, because loading takes an eighth of the time in which the service starts. */
const loadLibrary = () => import('@simplewebauthn/server');

/** EdDSA, ES256 and RS256; Windows Hello requires RS256. */
const algorithms = [-8, -7, -257];

/** `crossOrigin` must not be true, because our pages are never in a frame of another site. */
const clientData = v.pipe(
  v.string(),
  v.parseJson(),
  v.object({ challenge: v.string(), crossOrigin: v.optional(v.literal(false)) }),
);

/** The ceremonies for one RP ID. @simplewebauthn/server parses the formats and verifies the signatures; this module decides what to accept. */
export function createPasskeys(
  { database, clock, ...needed }: StoreContext,
  { rpId, origins }: NonNullable<Config['passkeys']>,
): Passkeys {
  const challenges = createChallenges({ clock, ...needed });
  const expected = { expectedOrigin: origins, expectedRPID: rpId, requireUserVerification: true };
  const timeout = challengeSeconds * 1000;

  /** @throws PasskeyRefused for a challenge that has another binding or has expired */
  function requireOwnChallenge(clientDataJSON: string, subject: ChallengeSubject): string {
    const parsed = v.safeParse(clientData, Buffer.from(clientDataJSON, 'base64url').toString());
    const check = parsed.success ? challenges.check(parsed.output.challenge, subject) : 'foreign';
    if (!parsed.success || check === 'foreign')
      throw new PasskeyRefused('the challenge was not made for this sign-in in this browser');
    if (check === 'expired') throw new PasskeyRefused('the challenge is too old', { isStale: true });
    return parsed.output.challenge;
  }

  async function requireUnused(
    store: Database | DatabaseTransaction,
    challenge: string,
    userId: string,
  ): Promise<void> {
    if (!(await challenges.use(store, challenge)))
      throw new PasskeyRefused('the challenge was used before', { isStale: true, userId });
  }

  return {
    async beginSignIn(boundTo) {
      const { generateAuthenticationOptions } = await loadLibrary();
      return toJson(
        await generateAuthenticationOptions({
          rpID: rpId,
          challenge: challenges.issue({ ceremony: 'sign-in', boundTo }),
          userVerification: 'required',
          timeout,
        }),
      );
    },

    async verify(boundTo, assertion) {
      const { clientDataJSON, userHandle } = assertion.response;
      const expectedChallenge = requireOwnChallenge(clientDataJSON, { ceremony: 'sign-in', boundTo });
      const stored = await findPasskey(database, assertion.id);
      if (stored === undefined) throw new PasskeyRefused('an unknown passkey');
      const { userId, credentialId } = stored;
      // A discoverable passkey identifies its user (WebAuthn, 7.2, step 6).
      if (userHandle !== handleOf(userId))
        throw new PasskeyRefused('the passkey names another user', { userId });

      const { verifyAuthenticationResponse } = await loadLibrary();
      const { verified, authenticationInfo: info } = await verifyAuthenticationResponse({
        ...expected,
        response: { ...assertion, clientExtensionResults: {} } as AuthenticationResponseJSON,
        expectedChallenge,
        // With 0, the library does not compare the counter; `recordUse` does.
        credential: { id: credentialId, publicKey: bytesOf(stored.publicKey), counter: 0 },
      }).catch((error: unknown) => {
        throw new PasskeyRefused(textOf(error), { userId, cause: error });
      });
      if (!verified) throw new PasskeyRefused('the signature is wrong', { userId });

      await requireUnused(database, expectedChallenge, userId);
      const use = { signCount: info.newCounter, backedUp: info.credentialBackedUp };
      if (!(await recordUse(database, credentialId, use, clock.now())))
        throw new PasskeyRefused('the counter went backwards: the passkey may have been copied', {
          userId,
        });
      return { userId, keyProtection: info.credentialDeviceType === 'singleDevice' ? 'hwk' : 'swk' };
    },

    async beginEnrolment(user, boundTo) {
      const { generateRegistrationOptions } = await loadLibrary();
      const present = await listPasskeys(database, user.id);
      const options = await generateRegistrationOptions({
        rpID: rpId,
        rpName: rpId,
        userID: bytesOf(handleOf(user.id)),
        userName: user.userName,
        userDisplayName: user.displayName,
        challenge: challenges.issue({ ceremony: 'enrolment', boundTo: [...boundTo, ...stateOf(user)] }),
        attestationType: 'none',
        authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
        supportedAlgorithmIDs: algorithms,
        excludeCredentials: present.map(({ id, transports }) => ({ id, transports })),
        timeout,
      });
      const { rp, user: owner, pubKeyCredParams, ...rest } = options;
      const parameters = pubKeyCredParams.map((one) => ({ ...one }));
      return { ...rest, rp: { ...rp }, user: { ...owner }, pubKeyCredParams: parameters };
    },

    async finishEnrolment(transaction, user, boundTo, attestation, fallbackName) {
      const subject = { ceremony: 'enrolment', boundTo: [...boundTo, ...stateOf(user)] } as const;
      const expectedChallenge = requireOwnChallenge(attestation.response.clientDataJSON, subject);
      const userId = user.id;
      const { verifyRegistrationResponse } = await loadLibrary();
      const { verified, registrationInfo: info } = await verifyRegistrationResponse({
        ...expected,
        response: { ...attestation, clientExtensionResults: {} } as RegistrationResponseJSON,
        expectedChallenge,
        supportedAlgorithmIDs: algorithms,
      }).catch((error: unknown) => {
        throw new PasskeyRefused(textOf(error), { userId, cause: error });
      });
      if (!verified) throw new PasskeyRefused('the attestation is wrong', { userId });

      await requireUnused(transaction, expectedChallenge, userId);
      const { credential, aaguid, credentialDeviceType, credentialBackedUp } = info;
      const added = await insertPasskey(
        transaction,
        user,
        {
          credentialId: credential.id,
          publicKey: Buffer.from(credential.publicKey).toString('base64url'),
          signCount: credential.counter,
          backupEligible: credentialDeviceType === 'multiDevice',
          backedUp: credentialBackedUp,
          transports: attestation.response.transports ?? [],
          aaguid,
          name: (findAuthenticatorName(aaguid) ?? fallbackName ?? 'Passkey').slice(
            0,
            passkeyNameMaximumLength,
          ),
        },
        clock.now(),
      );
      if (added === undefined)
        throw new PasskeyRefused('the account changed, has too many passkeys, or the passkey is taken', {
          userId,
        });
      return added;
    },
  };
}

/** The user handle for authenticators: opaque, and the same for all passkeys of a user. */
function handleOf(userId: string): string {
  return createHash('sha256').update(`passkey user ${userId}`).digest('base64url');
}

/**
 * Part of the binding of an enrolment's challenge, so that an enrolment which began before an account change is
 * rejected.
 */
const stateOf = ({ id, securityVersion }: { id: string; securityVersion: number }): string[] => [
  id,
  String(securityVersion),
];

const bytesOf = (text: string): Uint8Array<ArrayBuffer> => Uint8Array.from(Buffer.from(text, 'base64url'));

const textOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

function toJson(options: { challenge: string }): CeremonyOptions {
  return { ...options };
}

/**
 * Names of common passkey managers by their AAGUID, from the community's list passkeydeveloper/passkey-authenticator-aaguids.
 * A passkey of any other manager is named after the browser.
 */
const names: Readonly<Record<string, string>> = {
  'ea9b8d66-4d01-1d21-3ce4-b6b48cb575d4': 'Google Password Manager',
  'fbfc3007-154e-4ecc-8c0b-6e020557d7bd': 'iCloud Keychain',
  'dd4ec289-e01d-41c9-bb89-70fa845d4bf2': 'iCloud Keychain',
  'adce0002-35bc-c60a-648b-0b25f1f05503': 'Chrome (macOS)',
  '08987058-cadc-4b81-b6e1-30de50dcbe96': 'Windows Hello',
  '9ddd1817-af5a-4672-a2b9-3e3dd95000a9': 'Windows Hello',
  '6028b017-b1d4-4c02-b4b3-afcdafc96bb2': 'Windows Hello',
  '53414d53-554e-4700-0000-000000000000': 'Samsung Pass',
  'bada5566-a7aa-401f-bd96-45619a55120d': '1Password',
  'd548826e-79b4-db40-a3d8-11116f7e8349': 'Bitwarden',
  '531126d6-e717-415c-9320-3d9aa6981239': 'Dashlane',
  'b84e4048-15dc-4dd0-8640-f4f60813c8af': 'NordPass',
  '0ea242b4-43c4-4a1b-8b17-dd6d0b6baec6': 'Keeper',
};

function findAuthenticatorName(aaguid: string): string | undefined {
  return names[aaguid.toLowerCase()];
}
