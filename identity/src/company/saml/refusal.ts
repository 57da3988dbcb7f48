/**
 * The reasons for rejecting a SAML message, for the log and the audit log only: the visitor sees the generic error
 * page, so that an attacker learns nothing from the response (attacks and faults, G11).
 */
const samlRefusalReasons = [
  // before parsing
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
  // structure
  'not_a_response',
  'not_a_logout_request',
  'not_one_assertion',
  'encrypted',
  'decryption',
  'id_missing_or_repeated',
  // signature
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
  // origin and addressee
  'unsolicited',
  'connection_gone',
  'issuer',
  'destination',
  'recipient',
  'in_response_to',
  'audience',
  'status_not_success',
  // time
  'time_malformed',
  'issued_before_the_request',
  'issued_in_the_future',
  'not_yet_valid',
  'expired',
  'authentication_too_old',
  // subject and conditions
  'conditions',
  'confirmation_missing',
  'confirmation_method',
  'authentication_statement_missing',
  'name_id_missing',
  'name_id_malformed',
  'name_id_format',
  'name_id_qualifier',
  'foreign_email_domain',
  // reuse
  'replayed',
] as const;

export type SamlRefusalReason = (typeof samlRefusalReasons)[number];

/** A rejected SAML message. `detail` says where the fault is and contains no personal data from the message. */
export class SamlRefusal extends Error {
  override readonly name = 'SamlRefusal';
  readonly reason: SamlRefusalReason;

  constructor(reason: SamlRefusalReason, detail?: string, options: { cause?: unknown } = {}) {
    super(detail === undefined ? reason : `${reason}: ${detail}`, options);
    this.reason = reason;
  }
}
