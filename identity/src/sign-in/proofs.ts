import * as v from 'valibot';
import { factorProofs } from '../factors/factor.ts';
import { factors } from '../factors/factors.ts';
import { joinMethods } from '../sessions/assurance.ts';
import type { ProvedMethod, SignedInSession } from '../sessions/session.ts';

// The proofs of a sign-in, each of which counts for one user only: docs/decisions/032-a-proof-belongs-to-one-user.md.

const kinds = [
  'password',
  'company',
  ...factorProofs,
  'password-change',
  'site-choice',
  'public-computer',
] as const;
export type ProofKind = (typeof kinds)[number];

/** One proof or selection of a user in a sign-in. It is immutable, and counts for this user only. */
export type Proof = {
  userId: string;
  /** The version of the account for which the proof was verified (`users.security_version`). */
  securityVersion: number;
  at: Date;
  /** The requested or selected site. */
  siteId?: string | undefined;
  /** The connection whose provider authenticated the user. */
  connectionId?: string | undefined;
  /** For a passkey: whether its key is bound to one device or synchronised between devices (RFC 8176). */
  keyProtection?: KeyProtection | undefined;
  /** For a passkey: it is on another device than the browser, such as a phone or a security key. */
  isOfAnotherDevice?: boolean | undefined;
};

export type KeyProtection = 'hwk' | 'swk';

/** The latest proof of each kind. */
export type Proofs = { readonly [kind in ProofKind]?: Proof };

/** A user with the version of the account as it was read. */
export type Account = { id: string; securityVersion: number };

/**
 * The valid proofs of a user: those of this user that were verified for the current version of the account. All
 * decisions of a sign-in must use this function.
 */
export function findEvidence({ proofs }: { proofs: Proofs }, { id, securityVersion }: Account): Proofs {
  return Object.fromEntries(
    Object.entries(proofs).filter(
      ([, proof]) => proof.userId === id && proof.securityVersion === securityVersion,
    ),
  );
}

export const listKinds = (evidence: Proofs) => Object.keys(evidence) as ProofKind[];

/** The site that the user named or selected last. */
export function findSiteIdOf(evidence: Proofs): string | undefined {
  return Object.values(evidence)
    .filter(({ siteId }) => siteId !== undefined)
    .toSorted((one, other) => other.at.getTime() - one.at.getTime())[0]?.siteId;
}

const proofOfRow = v.object({
  userId: v.string(),
  securityVersion: v.number(),
  at: v.pipe(
    v.string(),
    v.transform((text) => new Date(text)),
  ),
  siteId: v.optional(v.string()),
  connectionId: v.optional(v.string()),
  keyProtection: v.optional(v.picklist(['hwk', 'swk'])),
  isOfAnotherDevice: v.optional(v.boolean()),
});

/** Ignores unknown kinds, which a node of the next release may write. */
const proofsOfRow = v.object(v.entriesFromList(kinds, v.optional(proofOfRow)));

/** Reads the column `sign_ins.proofs`. */
export function parseProofs(stored: unknown): Proofs {
  return v.parse(proofsOfRow, stored);
}

/** The methods that each kind of proof stands for. A change of the password checks the current one. */
function listMethods(kind: ProofKind, { at, keyProtection }: Proof): ProvedMethod[] {
  if (kind === 'password' || kind === 'password-change') return [{ method: 'pwd', at }];
  if (kind === 'company') return [{ method: 'fed', at }];
  const factor = Object.values(factors).find(({ proof }) => proof === kind);
  if (factor === undefined) return [];
  return [
    ...(keyProtection === undefined ? [] : [{ method: keyProtection, at }]),
    { method: factor.method, at },
  ];
}

/** The authentication methods that were proved in this sign-in. */
export function methodsOfProofs(evidence: Proofs): ProvedMethod[] {
  return joinMethods(
    listKinds(evidence).flatMap((kind) => {
      const proof = evidence[kind];
      return proof === undefined ? [] : listMethods(kind, proof);
    }),
  );
}

/** The authentication methods of this sign-in together with those of the session that it continues. */
export function methodsOf(evidence: Proofs, current: SignedInSession | undefined): ProvedMethod[] {
  return joinMethods(current?.methods ?? [], methodsOfProofs(evidence));
}

/** Whether the session includes everything that was proved in this sign-in. */
export function includesProofs({ methods }: SignedInSession, evidence: Proofs): boolean {
  return methodsOfProofs(evidence).every((proved) =>
    methods.some(({ method, at }) => method === proved.method && at >= proved.at),
  );
}
