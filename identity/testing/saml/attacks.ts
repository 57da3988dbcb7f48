import { claimAttacks } from './claim-attacks.ts';
import { encryptedAttacks } from './encrypted-responses.ts';
import type { Attack } from './lab.ts';
import { parserAttacks } from './parser-attacks.ts';
import { signatureAttacks } from './signature-attacks.ts';
import { wrappingAttacks } from './wrapping-attacks.ts';

/** Every way to do a sign-in's response wrong that we know of. */
export const attacks: readonly Attack[] = [
  ...signatureAttacks,
  ...wrappingAttacks,
  ...claimAttacks,
  ...encryptedAttacks,
  ...parserAttacks,
];
