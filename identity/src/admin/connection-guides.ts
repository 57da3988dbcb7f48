import { backChannelPath, callbackPath, signedOutPath } from '../company/openid/company-provider.ts';
import { describeServiceProvider } from '../company/saml/service-provider.ts';

/** A line of a guide: a value to enter at the provider, or a command to run in this installation. */
export type GuideLine = { where: 'provider' | 'here'; what: string; value: string };

type Kind = 'saml' | 'openid';
type OwnAddresses = {
  name: string;
  entityId: string;
  acsUrl: string;
  singleLogoutUrl: string;
  metadataUrl: string;
  redirectUrl: string;
  signedOutUrl: string;
  backChannelUrl: string;
};
type Guide = {
  provider: (own: OwnAddresses) => [what: string, value: string][];
  /** Options of `connections add`, in addition to name, kind, domains and sites. */
  options: string;
};

const persistent = '--name-id-format persistent';
const microsoftClaims = 'http://schemas.xmlsoap.org/ws/2005/05/identity/claims';
const microsoftAttributes = `--email-attribute ${microsoftClaims}/emailaddress --first-name-attribute ${microsoftClaims}/givenname --last-name-attribute ${microsoftClaims}/surname`;
const namedAttributes =
  '--email-attribute email --first-name-attribute firstName --last-name-attribute lastName';
const ldapAttributes = '--email-attribute mail --first-name-attribute givenName --last-name-attribute sn';

/** The kind that the provider's documentation recommends comes first. */
const guides = {
  entra: {
    saml: {
      provider: ({ entityId, acsUrl, singleLogoutUrl }) => [
        ['Enterprise applications > New application > Single sign-on', 'SAML'],
        ['Identifier (Entity ID)', entityId],
        ['Reply URL (Assertion Consumer Service URL)', acsUrl],
        ['Sign on URL', 'leave empty: the tile then opens the application'],
        ['Logout URL', singleLogoutUrl],
        ['Unique User Identifier (Name ID)', 'user.objectid, name identifier format Persistent'],
        ['Signing option, signing algorithm', 'Sign SAML assertion, SHA-256'],
        ['Token encryption', 'off'],
      ],
      options: `--metadata "<App Federation Metadata Url>" ${persistent} ${microsoftAttributes}`,
    },
    openid: {
      provider: ({ redirectUrl }) => [
        ['App registrations > New registration > Redirect URI (Web)', redirectUrl],
        ['Certificates & secrets', 'New client secret: its value is the secret'],
        ['API permissions', 'Microsoft Graph: openid, email, profile'],
      ],
      options:
        '--issuer https://login.microsoftonline.com/<tenant id>/v2.0 --client-id <Application (client) ID> --secret-stdin --token-authentication client_secret_post --email-claim preferred_username --no-require-verified-email',
    },
  },
  okta: {
    saml: {
      provider: ({ entityId, acsUrl, singleLogoutUrl }) => [
        ['Applications > Create App Integration', 'SAML 2.0'],
        ['Single sign-on URL (also for Recipient and Destination)', acsUrl],
        ['Audience URI (SP Entity ID)', entityId],
        ['Name ID format', 'Persistent'],
        ['Response, Assertion signature, algorithm', 'Signed, Signed, RSA-SHA256'],
        [
          'Assertion encryption',
          'Unencrypted; or AES256-GCM, RSA-OAEP, after `connections update <name> --decryption-key new`',
        ],
        ['Single logout URL, SP issuer', `${singleLogoutUrl}, ${entityId}`],
        ['Attribute statements', 'email: user.email, firstName: user.firstName, lastName: user.lastName'],
      ],
      options: `--metadata "<Sign On > Metadata URL>" ${persistent} ${namedAttributes}`,
    },
    openid: {
      provider: ({ redirectUrl, signedOutUrl }) => [
        ['Applications > Create App Integration', 'OIDC, Web Application'],
        ['Sign-in redirect URI', redirectUrl],
        ['Sign-out redirect URI', signedOutUrl],
        ['Client authentication', 'Client secret'],
      ],
      options:
        '--issuer https://<your organisation>.okta.com --client-id <Client ID> --secret-stdin --sign-out-there',
    },
  },
  google: {
    saml: {
      provider: ({ entityId, acsUrl }) => [
        ['Admin console > Apps > Web and mobile apps > Add app', 'Add custom SAML app'],
        ['ACS URL', acsUrl],
        ['Entity ID', entityId],
        ['Start URL', 'leave empty'],
        ['Signed response', 'on'],
        ['Name ID format, Name ID', 'PERSISTENT, Basic Information > Primary email'],
        ['Attributes', 'Primary email: email, First name: firstName, Last name: lastName'],
      ],
      options: `--metadata <the downloaded metadata file> ${persistent} ${namedAttributes}`,
    },
    openid: {
      provider: ({ redirectUrl }) => [
        ['Google Cloud console > Credentials > OAuth client ID', 'Web application'],
        ['Authorized redirect URI', redirectUrl],
        ['OAuth consent screen', 'Internal'],
      ],
      options:
        '--issuer https://accounts.google.com --client-id <Client ID> --secret-stdin --token-authentication client_secret_post',
    },
  },
  adfs: {
    saml: {
      provider: ({ entityId, acsUrl, singleLogoutUrl, metadataUrl }) => [
        ['Add Relying Party Trust > Import data online', metadataUrl],
        ['or by hand: Relying party trust identifier', entityId],
        ['or by hand: Endpoint, SAML Assertion Consumer, POST', acsUrl],
        ['or by hand: Endpoint, SAML Logout, Redirect', singleLogoutUrl],
        ['Advanced > Secure hash algorithm', 'SHA-256'],
        ['Encryption certificate', 'none'],
        [
          'Issuance rule: Send LDAP Attributes',
          'E-Mail-Addresses: E-Mail Address, Given-Name: Given Name, Surname: Surname',
        ],
        ['Issuance rule: Transform an Incoming Claim', 'E-Mail Address to Name ID, format Email'],
      ],
      options: `--metadata https://<your ADFS>/FederationMetadata/2007-06/FederationMetadata.xml --name-id-format email ${microsoftAttributes}`,
    },
  },
  keycloak: {
    openid: {
      provider: ({ redirectUrl, signedOutUrl, backChannelUrl }) => [
        ['Clients > Create client, Client authentication', 'OpenID Connect, on'],
        ['Valid redirect URIs', redirectUrl],
        ['Valid post logout redirect URIs', signedOutUrl],
        ['Backchannel logout URL', backChannelUrl],
        ['Users', 'Email verified: on (or add --no-require-verified-email here)'],
      ],
      options:
        '--issuer https://<your Keycloak>/realms/<realm> --client-id <Client ID> --secret-stdin --sign-out-there',
    },
    saml: {
      provider: ({ entityId, acsUrl, singleLogoutUrl }) => [
        ['Clients > Create client, Client ID', `SAML, ${entityId}`],
        ['Valid redirect URIs', acsUrl],
        ['Name ID format, Force name ID format', 'persistent, on'],
        ['Sign assertions, Encrypt assertions', 'on, off'],
        ['Logout Service Redirect Binding URL', singleLogoutUrl],
        ['Mappers of type User Property', 'email: email, firstName: firstName, lastName: lastName'],
      ],
      options: `--metadata https://<your Keycloak>/realms/<realm>/protocol/saml/descriptor ${persistent} ${namedAttributes}`,
    },
  },
  simplesamlphp: {
    saml: {
      provider: ({ entityId, acsUrl, singleLogoutUrl }) => [
        ['metadata/saml20-sp-remote.php, entity', entityId],
        ['AssertionConsumerService', acsUrl],
        ['SingleLogoutService', singleLogoutUrl],
        [
          'NameIDFormat',
          'urn:oasis:names:tc:SAML:2.0:nameid-format:persistent, with an authproc filter that sets it',
        ],
        ['assertion.encryption', 'false: version 1.19 supports only AES-CBC, which is refused'],
        ['sign.logout', 'true: an unsigned logout request is refused'],
        ['attributes', 'mail, givenName, sn'],
      ],
      options: `--metadata https://<your SimpleSAMLphp>/saml2/idp/metadata.php ${persistent} ${ldapAttributes}`,
    },
  },
  lemonldap: {
    saml: {
      provider: ({ metadataUrl }) => [
        ['Manager > SAML service providers > Metadata', `load from ${metadataUrl}`],
        ['Options > Authentication response > Default NameID format', 'Persistent'],
        ['Options > Signature > Sign SSO message, Sign SLO message', 'on, on'],
        ['Options > Security > Encryption mode', 'None: Lasso 2.8 supports only AES-CBC, which is refused'],
        ['Exported attributes', 'mail, givenName, sn'],
      ],
      options: `--metadata https://<your portal>/saml/metadata ${persistent} ${ldapAttributes}`,
    },
    openid: {
      provider: ({ redirectUrl, signedOutUrl, backChannelUrl }) => [
        ['Manager > OpenID Connect Relying Parties > Add', 'choose a client id and a client secret'],
        ['Options > Allowed redirection addresses for login', redirectUrl],
        ['Options > Allowed redirection addresses for logout', signedOutUrl],
        ['Options > Logout URL, type', `${backChannelUrl}, Back Channel (where your version has it)`],
        ['Options > Security > ID Token signature algorithm', 'RS256'],
        ['Exported attributes', 'email: mail, given_name: givenName, family_name: sn'],
      ],
      options:
        '--issuer https://<your portal>/ --client-id <Client ID> --secret-stdin --sign-out-there --no-require-verified-email',
    },
  },
} satisfies Record<string, Partial<Record<Kind, Guide>>>;

export type Preset = keyof typeof guides;
export const presets = Object.keys(guides) as Preset[];

/** The kinds with a guide for the preset, the usual one first. */
export const kindsOf = (preset: Preset): Kind[] => Object.keys(guides[preset]) as Kind[];

/**
 * Lists what to enter on both sides to connect a provider, with the addresses of this installation.
 * @param kind one of `kindsOf`
 * @param site a site of the connection, for the address of the SAML metadata
 */
export function writeGuide(
  preset: Preset,
  kind: Kind,
  { publicUrl, name, site }: { publicUrl: string; name: string; site: string | undefined },
): GuideLine[] {
  const guide = (guides[preset] as Partial<Record<Kind, Guide>>)[kind];
  if (guide === undefined) return [];
  const own: OwnAddresses = {
    name,
    ...describeServiceProvider(publicUrl, { name }),
    metadataUrl: `${publicUrl}/saml/metadata/${site ?? '<site>'}`,
    redirectUrl: `${publicUrl}${callbackPath}`,
    signedOutUrl: `${publicUrl}${signedOutPath}`,
    backChannelUrl: `${publicUrl}${backChannelPath}/${name}`,
  };
  const common = '--domains <domains of the company> --sites <sites>';
  return [
    ...guide.provider(own).map(([what, value]) => ({ where: 'provider' as const, what, value })),
    {
      where: 'here',
      what: 'connect',
      value: `npx anteroom connections add ${name} --display-name <company> --kind ${kind} ${guide.options} ${common}`,
    },
    { where: 'here', what: 'check', value: `npx anteroom connections test ${name}` },
  ];
}
