import { hasPasskey } from '../sessions/assurance.ts';
import type { AuthenticationMethod, SignedInSession } from '../sessions/session.ts';
import type { Proofs } from '../sign-ins/proofs.ts';
import { countsAt } from '../sites/second-factors.ts';
import type { SecondFactorName, Site } from '../sites/sites-store.ts';

/** The authentication methods (`amr`) of this sign-in together with those of the session that it continues. */
export function methodsOf(evidence: Proofs, current: SignedInSession | undefined): AuthenticationMethod[] {
  const methods = new Set<AuthenticationMethod>(current?.methods);
  if (evidence.password !== undefined) methods.add('pwd');
  if (evidence.company !== undefined) methods.add('fed');
  if (evidence['sms-code'] !== undefined) methods.add('sms');
  if (evidence['authenticator-code'] !== undefined) methods.add('otp');
  if (evidence.passkey?.keyProtection !== undefined) {
    methods.add(evidence.passkey.keyProtection);
    methods.add('user');
  }
  return [...methods];
}

/** The second factors among authentication methods. */
export function listShownFactors(methods: readonly AuthenticationMethod[]): SecondFactorName[] {
  const shown: SecondFactorName[] = [];
  if (hasPasskey(methods)) shown.push('passkey');
  if (methods.includes('otp')) shown.push('totp');
  if (methods.includes('sms')) shown.push('sms');
  return shown;
}

/** Whether the authentication methods include a second factor that the site accepts. */
export function hasCountedFactor(methods: readonly AuthenticationMethod[], site: Site | undefined): boolean {
  return listShownFactors(methods).some((factor) => countsAt(site, factor));
}
