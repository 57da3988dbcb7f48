import { assertionPattern, honestXml, piece, replaced, signaturePattern, target } from './lab.ts';
import type { Attack, Lab } from './lab.ts';
import { draftResponse, encode, freshId, renderAssertion, renderResponse, sign } from './responses.ts';

// Signature wrapping: the signed element is moved, and a forged element takes its place (Somorovsky et al., "On
// Breaking SAML", 2012; the tool SAML Raider uses the same numbers).

const evil = (lab: Lab) => draftResponse({ ...lab, nameId: target });
const withoutSignature = (xml: string): string => replaced(xml, signaturePattern, '');

/** The parts of a valid response whose root is signed. */
function signedResponse(lab: Lab): { whole: string; bare: string; signature: string } {
  const whole = honestXml(lab, {}, { what: 'Response' });
  return { whole, bare: withoutSignature(whole), signature: piece(whole, signaturePattern) };
}

/** The parts of a valid response whose assertion is signed. */
function signedAssertion(lab: Lab): { whole: string; assertion: string; bare: string; signature: string } {
  const whole = honestXml(lab);
  const assertion = piece(whole, assertionPattern);
  return {
    whole,
    assertion,
    bare: withoutSignature(assertion),
    signature: piece(assertion, signaturePattern),
  };
}

/** The forged assertion, without a signature. */
const evilAssertion = (lab: Lab): string => renderAssertion(evil(lab));

/** A signature with additional content. */
const withObject = (signature: string, content: string): string =>
  replaced(signature, '</ds:Signature>', `<ds:Object>${content}</ds:Object></ds:Signature>`);

/** An assertion with a signature after its Issuer. */
const withSignature = (assertion: string, signature: string): string =>
  replaced(assertion, '</saml:Issuer>', `</saml:Issuer>${signature}`);

const wrapping = (name: string, reason: Attack['reason'], forge: (lab: Lab) => string): Attack => ({
  row: 'S44',
  name,
  reason,
  forge: (lab) => encode(forge(lab)),
});

export const wrappingAttacks: readonly Attack[] = [
  wrapping('XSW1: the signed response within the signature of a forged one', 'not_one_assertion', (lab) => {
    const { bare, signature } = signedResponse(lab);
    return withSignature(renderResponse(evil(lab)), withObject(signature, bare));
  }),
  wrapping('XSW2: the signed response before its signature in a forged one', 'not_one_assertion', (lab) => {
    const { bare, signature } = signedResponse(lab);
    return withSignature(renderResponse(evil(lab)), `${bare}${signature}`);
  }),
  wrapping('XSW3: a forged assertion before the signed one', 'not_one_assertion', (lab) => {
    const { whole, assertion } = signedAssertion(lab);
    return replaced(whole, assertion, `${evilAssertion(lab)}${assertion}`);
  }),
  wrapping('XSW4: the signed assertion within a forged one', 'not_one_assertion', (lab) => {
    const { whole, assertion } = signedAssertion(lab);
    return replaced(
      whole,
      assertion,
      replaced(evilAssertion(lab), '</saml:Assertion>', `${assertion}</saml:Assertion>`),
    );
  }),
  wrapping(
    'XSW5: the signature in a forged assertion, followed by the signed one',
    'not_one_assertion',
    (lab) => {
      const { whole, assertion, bare, signature } = signedAssertion(lab);
      return replaced(whole, assertion, `${withSignature(evilAssertion(lab), signature)}${bare}`);
    },
  ),
  wrapping('XSW6: the signed assertion within the signature of a forged one', 'not_one_assertion', (lab) => {
    const { whole, assertion, bare, signature } = signedAssertion(lab);
    return replaced(whole, assertion, withSignature(evilAssertion(lab), withObject(signature, bare)));
  }),
  wrapping('XSW7: a forged assertion within Extensions', 'not_one_assertion', (lab) => {
    const { whole, assertion } = signedAssertion(lab);
    return replaced(
      whole,
      assertion,
      `<samlp:Extensions>${evilAssertion(lab)}</samlp:Extensions>${assertion}`,
    );
  }),
  wrapping('XSW8: the signed assertion within an Object of a forged one', 'not_one_assertion', (lab) => {
    const { whole, assertion, bare, signature } = signedAssertion(lab);
    const forged = withSignature(evilAssertion(lab), signature);
    return replaced(
      whole,
      assertion,
      replaced(forged, '</ds:Signature>', `<ds:Object>${bare}</ds:Object></ds:Signature>`),
    );
  }),
  wrapping('a forged assertion with the id of the signed one beside it', 'not_one_assertion', (lab) => {
    const { whole, assertion } = signedAssertion(lab);
    const id = piece(assertion, /_[0-9a-f]{32}/);
    return replaced(whole, assertion, `${renderAssertion({ ...evil(lab), assertionId: id })}${assertion}`);
  }),
  wrapping('two elements with one id', 'id_missing_or_repeated', (lab) => {
    const { whole, assertion } = signedAssertion(lab);
    const id = piece(assertion, /_[0-9a-f]{32}/);
    return replaced(whole, assertion, `<samlp:Extensions ID="${id}"/>${assertion}`);
  }),
  wrapping('a repeated id in an attribute called Id', 'id_missing_or_repeated', (lab) => {
    const { whole, assertion } = signedAssertion(lab);
    const id = piece(assertion, /_[0-9a-f]{32}/);
    return replaced(
      whole,
      assertion,
      `<samlp:Extensions><x xmlns="urn:x" Id="${id}"/></samlp:Extensions>${assertion}`,
    );
  }),
  wrapping('two assertions, both signed by the identity provider', 'not_one_assertion', (lab) => {
    const { whole, assertion } = signedAssertion(lab);
    return replaced(whole, assertion, `${assertion}${signedAssertion(lab).assertion}`);
  }),
  wrapping('a second response after the first', 'message_malformed', (lab) => {
    const { whole } = signedAssertion(lab);
    return `${whole}${renderResponse(evil(lab))}`;
  }),
  wrapping('a second response before the first', 'message_malformed', (lab) => {
    const { whole } = signedAssertion(lab);
    return `${renderResponse(evil(lab))}${whole}`;
  }),
  wrapping('a response within the response', 'not_a_response', (lab) => {
    const { whole, assertion } = signedAssertion(lab);
    return replaced(whole, assertion, `<samlp:Extensions><samlp:Response/></samlp:Extensions>${assertion}`);
  }),
  wrapping('an assertion of another namespace beside the signed one', 'not_one_assertion', (lab) => {
    const { whole, assertion } = signedAssertion(lab);
    return replaced(whole, assertion, `<Assertion xmlns="urn:other"/>${assertion}`);
  }),
  wrapping('the signature of the assertion in the response', 'reference', (lab) => {
    const { whole, assertion, bare, signature } = signedAssertion(lab);
    const forged = replaced(whole, assertion, replaced(bare, lab.nameId ?? 'employee@corp.example', target));
    return replaced(forged, '</saml:Issuer>', `</saml:Issuer>${signature}`);
  }),
  wrapping('the signature in Extensions', 'signature_misplaced', (lab) => {
    const { whole, assertion, bare, signature } = signedAssertion(lab);
    return replaced(whole, assertion, `<samlp:Extensions>${signature}</samlp:Extensions>${bare}`);
  }),
  wrapping('two signatures in one assertion', 'signature_misplaced', (lab) => {
    const { whole, signature } = signedAssertion(lab);
    return replaced(whole, signature, `${signature}${signature}`);
  }),
  wrapping(
    'an assertion signed with the key of another connection, in an unsigned response',
    'signature_invalid',
    (lab) =>
      sign(
        replaced(
          renderResponse(draftResponse(lab)),
          'xmlns:saml="urn:oasis:names:tc:SAML:2.0:assertion"',
          `xmlns:saml="urn:oasis:names:tc:SAML:2.0:assertion" Consent="${freshId()}"`,
        ),
        lab.neighbour,
      ),
  ),
];
