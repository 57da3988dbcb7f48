import { SAML, ValidateInResponseTo } from '@node-saml/node-saml';
import type { SamlConnection } from '../connection.ts';
import { parseCertificates } from './certificates.ts';
import type { ServiceProvider } from './service-provider.ts';

/** What one message needs besides. */
type Choices = {
  /** The id of the message that is made. */
  messageId?: string;
  forceAuthentication?: boolean;
  /** Which signatures must be there and hold. */
  signed?: { response: boolean; assertion: boolean };
};

/**
 * It hands out the assertion as it was signed, and does not go on to read it, nor a sign-out: that is ours, and each thing that it would
 * refuse on the way would be told as a signature that does not hold.
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
 * node-saml with one connection's keys, for one message: it makes our messages and computes signatures. What it would judge besides
 * is switched off where it would only be half done; we do that ourselves, and on what was signed (docs/decisions/019).
 */
export function createLibrary(
  connection: SamlConnection,
  provider: ServiceProvider,
  { messageId, forceAuthentication = false, signed }: Choices = {},
): SAML {
  const { issuer, entryPoint, entryPointBinding, certificates, logoutUrl, nameIdFormat } =
    connection.settings;
  return new SignatureLibrary({
    issuer: provider.entityId,
    callbackUrl: provider.acsUrl,
    entryPoint,
    logoutUrl: logoutUrl ?? entryPoint,
    idpIssuer: issuer,
    idpCert: parseCertificates(certificates).map((certificate) => certificate.toString()),
    ...(provider.signing[0] && {
      privateKey: provider.signing[0].privateKey,
      publicCert: provider.signing[0].certificate,
    }),
    // its default is SHA-1
    signatureAlgorithm: 'sha256',
    digestAlgorithm: 'sha256',
    identifierFormat: nameIdFormat ?? null,
    // the POST binding sends the request as it is (saml-bindings, 3.5.4)
    skipRequestCompression: entryPointBinding === 'post',
    // how somebody proves who they are is their organisation's own business
    disableRequestedAuthnContext: true,
    forceAuthn: forceAuthentication,
    wantAuthnResponseSigned: signed?.response ?? true,
    wantAssertionsSigned: signed?.assertion ?? true,
    // by our own clock, in `timestamps.ts`; -1 switches its own off
    acceptedClockSkewMs: -1,
    // in the database, once, on whatever node
    validateInResponseTo: ValidateInResponseTo.never,
    ...(messageId !== undefined && { generateUniqueId: () => messageId }),
  });
}
