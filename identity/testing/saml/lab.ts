import type { SamlRefusalReason } from '../../src/company/saml/refusal.ts';
import { draftResponse, encode, renderResponse, sign } from './responses.ts';
import type { Draft, Signer, SigningChoices, Situation } from './responses.ts';

/** The setting of an attack: a request that awaits its response, and three keys. */
export type Lab = Situation & {
  /** The key of the connection. */
  signer: Signer;
  /** The key of another connection of the same service. */
  neighbour: Signer;
  /** A key of no connection. */
  stranger: Signer;
};

/** An attack; `forge` returns the form's `SAMLResponse`. */
export type Attack = {
  /** Its row in the list of attacks and faults. */
  row: 'S44' | 'S45' | 'S47' | 'S48' | 'F07';
  name: string;
  /** The expected reason in the audit log. */
  reason: SamlRefusalReason;
  forge: (lab: Lab) => string;
  /** Set if the response is only invalid when reauthentication was requested. */
  forceAuthentication?: true;
};

/** The account that attackers want to access. */
export const target = 'chair@corp.example';

/** A valid, signed response. `changes` are applied before it is signed. */
export function honestXml(lab: Lab, changes: Partial<Draft> = {}, choices: SigningChoices = {}): string {
  return sign(renderResponse({ ...draftResponse(lab), ...changes }), lab.signer, choices);
}

export const honest = (lab: Lab, changes?: Partial<Draft>, choices?: SigningChoices): string =>
  encode(honestXml(lab, changes, choices));

/** Replaces a text that must exist, so that an attack cannot silently become a valid message. */
export function replaced(xml: string, from: string | RegExp, to: string): string {
  const result = xml.replace(from, () => to);
  if (result === xml) throw new Error(`Nothing to replace: ${String(from)}`);
  return result;
}

/** Extracts a part of the text that must exist. */
export function piece(xml: string, pattern: RegExp): string {
  const found = pattern.exec(xml)?.[0];
  if (found === undefined) throw new Error(`Not found: ${String(pattern)}`);
  return found;
}

export const signaturePattern = /<ds:Signature .*?<\/ds:Signature>/s;
export const assertionPattern = /<saml:Assertion .*<\/saml:Assertion>/s;
