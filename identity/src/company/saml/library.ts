import { SAML, ValidateInResponseTo } from '@node-saml/node-saml';
import type { SamlConnection } from '../connection.ts';
import { parseCertificates } from './certificates.ts';
import type { ServiceProvider } from './service-provider.ts';

/** The settings for one message. */
type Choices = {
  /** The id of the outgoing message. */
  messageId?: string;
  forceAuthentication?: boolean;
  /** Which signatures must be present and valid. */
  signed?: { response: boolean; assertion: boolean };
};

/**
 * Returns the signed assertion or logout request without further validation. This service validates it, because the
 * library would report every other fault as an invalid signature.
 */
class SignatureLibrary extends SAML {
  protected override processValidlySignedPostRequestAsync(): ReturnType<
    SAML['processValidlySignedPostRequestAsync']
  > {
    return Promise.resolve({ profile: { issuer: '', nameID: '', nameIDFormat: '' }, loggedOut: true });
  }

  protected override processValidlySignedAssertionAsync(
    ...[xml]: Parameters<SAML['processValidlySignedAssertionAsync']>
  ): ReturnType<SAML['processValidlySignedAssertionAsync']> {
    const profile = { issuer: '', nameID: '', nameIDFormat: '', getAssertionXml: () => xml };
    return Promise.resolve({ profile, loggedOut: false });
  }
}

/**
 * Creates a node-saml instance with one connection's keys for one message. It writes outgoing messages and verifies
 * signatures. Its other checks are incomplete and therefore disabled; this service performs them on the signed content
 * (docs/decisions/019).
 */
export function createLibrary(
  connection: SamlConnection,
  serviceProvider: ServiceProvider,
  { messageId, forceAuthentication = false, signed }: Choices = {},
): SAML {
  const { issuer, entryPoint, entryPointBinding, certificates, logoutUrl, nameIdFormat } =
    connection.settings;
  return new SignatureLibrary({
    issuer: serviceProvider.entityId,
    callbackUrl: serviceProvider.acsUrl,
    entryPoint,
    logoutUrl: logoutUrl ?? entryPoint,
    idpIssuer: issuer,
    idpCert: parseCertificates(certificates).map((certificate) => certificate.toString()),
    ...(serviceProvider.signing[0] && {
      privateKey: serviceProvider.signing[0].privateKey,
      publicCert: serviceProvider.signing[0].certificate,
    }),
    // the library's default is SHA-1
    signatureAlgorithm: 'sha256',
    digestAlgorithm: 'sha256',
    identifierFormat: nameIdFormat ?? null,
    // the POST binding sends the request uncompressed (saml-bindings, 3.5.4)
    skipRequestCompression: entryPointBinding === 'post',
    // the organisation decides how its users authenticate
    disableRequestedAuthnContext: true,
    forceAuthn: forceAuthentication,
    wantAuthnResponseSigned: signed?.response ?? true,
    wantAssertionsSigned: signed?.assertion ?? true,
    // -1 disables the library's check; `timestamps.ts` uses the service's clock
    acceptedClockSkewMs: -1,
    // the database ensures single use across nodes
    validateInResponseTo: ValidateInResponseTo.never,
    ...(messageId !== undefined && { generateUniqueId: () => messageId }),
  });
}
