/**
 * Why a SAML message was refused, for the log and the audit alone: the visitor reads the generic error page, so that whoever tries
 * things out learns nothing from the answer (attacks and faults, G11).
 */
const samlRefusalReasons = [
  // before anything is parsed
  'too_many_answers',
  'message_missing',
  'message_not_base64',
  'message_too_large',
  'message_inflates_too_far',
  'message_not_utf8',
  'message_has_declarations',
  'message_nests_too_deep',
  'message_has_too_many_elements',
  'message_has_too_many_attributes',
  'message_malformed',
  'parameters',
  // its shape
  'not_a_response',
  'not_a_logout_request',
  'not_one_assertion',
  'encrypted',
  'decryption',
  'id_missing_or_repeated',
  // its signature
  'unsigned',
  'signature_misplaced',
  'signature_shape',
  'signature_algorithm',
  'digest_algorithm',
  'canonicalization_algorithm',
  'transforms',
  'reference',
  'signature_invalid',
  'certificate_unusable',
  // whose answer it is
  'unsolicited',
  'connection_gone',
  'issuer',
  'destination',
  'recipient',
  'in_response_to',
  'audience',
  'status_not_success',
  // when
  'time_malformed',
  'issued_before_the_request',
  'issued_in_the_future',
  'not_yet_valid',
  'expired',
  'authentication_too_old',
  // who
  'conditions',
  'confirmation_missing',
  'confirmation_method',
  'authentication_statement_missing',
  'name_id_missing',
  'name_id_malformed',
  'name_id_format',
  'name_id_qualifier',
  'foreign_email_domain',
  // once
  'replayed',
] as const;

export type SamlRefusalReason = (typeof samlRefusalReasons)[number];

/** A SAML message that nothing may come of. `detail` says where, and holds nothing that the message said of a person. */
export class SamlRefusal extends Error {
  override readonly name = 'SamlRefusal';
  readonly reason: SamlRefusalReason;

  constructor(reason: SamlRefusalReason, detail?: string, options: { cause?: unknown } = {}) {
    super(detail === undefined ? reason : `${reason}: ${detail}`, options);
    this.reason = reason;
  }
}
