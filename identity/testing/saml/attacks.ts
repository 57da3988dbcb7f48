import { claimAttacks } from './claim-attacks.ts';
import { encryptedAttacks } from './encrypted-responses.ts';
import type { Attack } from './lab.ts';
import { parserAttacks } from './parser-attacks.ts';
import { signatureAttacks } from './signature-attacks.ts';
import { wrappingAttacks } from './wrapping-attacks.ts';

/** All known attacks on the response of a sign-in. */
export const attacks: readonly Attack[] = [
  ...signatureAttacks,
  ...wrappingAttacks,
  ...claimAttacks,
  ...encryptedAttacks,
  ...parserAttacks,
];
