import * as v from 'valibot';

// What users prove in a sign-in, and for whom it counts: docs/decisions/032-a-proof-belongs-to-one-person.md.

const kinds = [
  'password',
  'company',
  'sms-code',
  'authenticator-code',
  'passkey',
  'password-change',
  'site-choice',
  'public-computer',
] as const;
export type ProofKind = (typeof kinds)[number];

/** One thing that one person has proved or chosen in a sign-in. It is never changed, and counts for nobody else. */
export type Proof = {
  personId: string;
  /** The state of the account that it was proved against (`people.security_version`). */
  securityVersion: number;
  at: Date;
  /** The site that it was proved for, or that was chosen. */
  siteId?: string | undefined;
  /** The connection whose provider vouches for the person. */
  connectionId?: string | undefined;
  /** Of a passkey: whether its key is bound to one device or synchronised between devices (RFC 8176). */
  keyProtection?: KeyProtection | undefined;
};

export type KeyProtection = 'hwk' | 'swk';

/** The latest proof of each kind. */
export type Proofs = { readonly [kind in ProofKind]?: Proof };

/** A person in the state that the account was read in. */
export type Account = { id: string; securityVersion: number };

/**
 * The proofs that count for the person: their own, made against the present state of their account. Everything that a sign-in is
 * believed to have proved comes from here.
 */
export function findEvidence({ proofs }: { proofs: Proofs }, { id, securityVersion }: Account): Proofs {
  return Object.fromEntries(
    Object.entries(proofs).filter(
      ([, proof]) => proof.personId === id && proof.securityVersion === securityVersion,
    ),
  );
}

/** The site that the person has named or chosen last. */
export function findSiteIdOf(evidence: Proofs): string | undefined {
  return Object.values(evidence)
    .filter(({ siteId }) => siteId !== undefined)
    .toSorted((one, other) => other.at.getTime() - one.at.getTime())[0]?.siteId;
}

const proofOfRow = v.object({
  personId: v.string(),
  securityVersion: v.number(),
  at: v.pipe(
    v.string(),
    v.transform((text) => new Date(text)),
  ),
  siteId: v.optional(v.string()),
  connectionId: v.optional(v.string()),
  keyProtection: v.optional(v.picklist(['hwk', 'swk'])),
});

/** A kind that the next release writes is passed over. */
const proofsOfRow = v.object(v.entriesFromList(kinds, v.optional(proofOfRow)));

/** Reads the column `sign_ins.proofs`. */
export function parseProofs(stored: unknown): Proofs {
  return v.parse(proofsOfRow, stored);
}
