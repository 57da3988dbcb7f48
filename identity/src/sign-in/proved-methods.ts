import { factors } from '../factors/factors.ts';
import { joinMethods } from '../sessions/assurance.ts';
import type { ProvedMethod, SignedInSession } from '../sessions/session.ts';
import { listKinds } from './proofs.ts';
import type { Proof, ProofKind, Proofs } from './proofs.ts';

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
