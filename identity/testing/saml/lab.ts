import type { SamlRefusalReason } from '../../src/enterprise/saml/refusal.ts';
import { draftResponse, encode, renderResponse, sign } from './responses.ts';
import type { Draft, Signer, SigningChoices, Situation } from './responses.ts';

/** Where an attack is made: an answer to one request is due, and three keys are at hand. */
export type Lab = Situation & {
  /** The connection's own. */
  signer: Signer;
  /** Of another organisation's connection to the same service. */
  neighbour: Signer;
  /** Nobody's. */
  stranger: Signer;
};

/** One way to do it wrong. It answers what the form's `SAMLResponse` carries. */
export type Attack = {
  /** Its row of the list of attacks and faults. */
  row: 'S44' | 'S45' | 'S47' | 'S48' | 'F07';
  name: string;
  /** What the audit must say. */
  reason: SamlRefusalReason;
  forge: (lab: Lab) => string;
  /** It is only wrong when a fresh proof was asked for. */
  forceAuthentication?: true;
};

/** Whom attackers would like to be. */
export const target = 'chair@corp.example';

/** What the identity provider would send, with its signature; `changes` are made before it signs. */
export function honestXml(lab: Lab, changes: Partial<Draft> = {}, choices: SigningChoices = {}): string {
  return sign(renderResponse({ ...draftResponse(lab), ...changes }), lab.signer, choices);
}

export const honest = (lab: Lab, changes?: Partial<Draft>, choices?: SigningChoices): string =>
  encode(honestXml(lab, changes, choices));

/** Changes a text that must be there, so that no attack becomes an honest message unnoticed. */
export function replaced(xml: string, from: string | RegExp, to: string): string {
  const result = xml.replace(from, () => to);
  if (result === xml) throw new Error(`Nothing to replace: ${String(from)}`);
  return result;
}

/** The piece of a text that must be there. */
export function piece(xml: string, pattern: RegExp): string {
  const found = pattern.exec(xml)?.[0];
  if (found === undefined) throw new Error(`Not there: ${String(pattern)}`);
  return found;
}

export const signaturePattern = /<ds:Signature .*?<\/ds:Signature>/s;
export const assertionPattern = /<saml:Assertion .*<\/saml:Assertion>/s;
