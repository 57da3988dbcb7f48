import * as v from 'valibot';
import { tokenAuthentications } from '../../enterprise/connection.ts';
import { domainKey } from '../../enterprise/connections-store.ts';
import { nameIdFormats } from '../../enterprise/saml/vocabulary.ts';
import { siteNameKey } from '../../sites/sites-store.ts';
import { clearable, text, yesOrNo } from '../fields.ts';
import type { Field } from '../noun.ts';

const addressMaximumLength = 2000;

/** It stands in commands, the log and the audit log. */
const name = v.pipe(
  text(60),
  v.transform((said) => said.toLowerCase()),
  v.regex(/^[a-z0-9][a-z0-9._-]*$/, 'must be letters, digits, dots, hyphens and underscores'),
);

const address = v.pipe(
  text(addressMaximumLength),
  v.check((said) => {
    const url = URL.parse(said);
    return url !== null && /^https?:$/.test(url.protocol) && url.username === '' && url.password === '';
  }, 'must be an http(s) address without credentials'),
);

/** Several, with spaces or commas between them; in JSON also a list. An empty text takes all of them away. */
const words = (what: string, key: (word: string) => string, shape: RegExp) =>
  v.optional(
    v.pipe(
      v.nullable(v.union([v.string(), v.array(v.string())], `must be ${what}`)),
      v.transform((said) => [
        ...new Set(
          (Array.isArray(said) ? said : (said ?? '').split(/[\s,]+/)).map(key).filter((word) => word !== ''),
        ),
      ]),
      v.check((all) => all.every((word) => shape.test(word)), `must be ${what}`),
    ),
  );

const shortFormats: Readonly<Record<string, string>> = {
  persistent: nameIdFormats.persistent,
  email: nameIdFormats.emailAddress,
  transient: nameIdFormats.transient,
  unspecified: nameIdFormats.unspecified,
};

const entries = {
  name,
  displayName: v.optional(text(200)),
  kind: v.optional(v.picklist(['saml', 'openid'], 'must be saml or openid')),
  issuer: v.optional(text(addressMaximumLength)),
  // SAML
  entryPoint: clearable(address),
  logoutUrl: clearable(address),
  /** PEM, one after the other. */
  certificates: v.optional(v.array(v.string())),
  entryPointBinding: clearable(v.picklist(['redirect', 'post'], 'must be redirect or post')),
  nameIdFormat: clearable(
    v.pipe(
      text(300),
      v.transform((said) => shortFormats[said.toLowerCase()] ?? said),
      v.check((said) => said !== nameIdFormats.transient, 'must not be transient: it names nobody twice'),
    ),
  ),
  offeredNameIdFormats: v.optional(v.array(v.string())),
  emailAttribute: clearable(text(300)),
  firstNameAttribute: clearable(text(300)),
  lastNameAttribute: clearable(text(300)),
  // OpenID Connect
  clientId: clearable(text(300)),
  scope: clearable(text(300)),
  tokenAuthentication: clearable(
    v.picklist(tokenAuthentications, `must be ${tokenAuthentications.join(', ')}`),
  ),
  emailClaim: clearable(text(100)),
  firstNameClaim: clearable(text(100)),
  lastNameClaim: clearable(text(100)),
  requireVerifiedEmail: yesOrNo,
  signOutThere: yesOrNo,
  // both
  justInTime: yesOrNo,
  domains: words('domains such as corp.example', domainKey, /^[^\s@./]+(?:\.[^\s@./]+)+$/u),
  sites: words('names of sites', siteNameKey, /./u),
  disabled: yesOrNo,
};

export const connectionEntry = v.object(entries, 'is needed');
export type ConnectionEntry = v.InferOutput<typeof connectionEntry>;
export const connectionFieldSchemas: Readonly<Record<string, v.GenericSchema>> = entries;

export const connectionFields: Readonly<Record<keyof ConnectionEntry, Field>> = {
  name: { kind: 'text', help: 'what operators call it' },
  displayName: { kind: 'text', help: 'what people read', neededForNew: true },
  kind: { kind: 'text', help: 'saml or openid', neededForNew: true },
  issuer: { kind: 'text', help: "the provider's entity id (SAML) or issuer (OpenID)" },
  entryPoint: { kind: 'text', help: 'SAML: where sign-ins are sent' },
  logoutUrl: { kind: 'text', help: 'SAML: where sign-outs are sent' },
  certificates: { kind: 'text', help: 'SAML: signing certificates', fromFile: true },
  entryPointBinding: { kind: 'text', help: 'SAML: redirect or post (redirect)' },
  nameIdFormat: {
    kind: 'text',
    help: 'SAML: the format of the NameID that is asked for and required: persistent, email, unspecified or a URN',
  },
  offeredNameIdFormats: { kind: 'text', help: 'SAML: the formats that the metadata lists', fromFile: true },
  emailAttribute: { kind: 'text', help: 'SAML: the attribute with the e-mail; else the NameID is one' },
  firstNameAttribute: { kind: 'text', help: 'SAML: the attribute with the first name' },
  lastNameAttribute: { kind: 'text', help: 'SAML: the attribute with the last name' },
  clientId: { kind: 'text', help: 'OpenID: what the provider calls this service' },
  scope: { kind: 'text', help: 'OpenID: what is asked for (openid email profile)' },
  emailClaim: { kind: 'text', help: 'OpenID: the claim with the e-mail (email)' },
  tokenAuthentication: {
    kind: 'text',
    help: `OpenID: how this service authenticates at the token endpoint: ${tokenAuthentications.join(', ')} (as the provider announces)`,
  },
  firstNameClaim: { kind: 'text', help: 'OpenID: the claim with the first name (given_name)' },
  lastNameClaim: { kind: 'text', help: 'OpenID: the claim with the last name (family_name)' },
  requireVerifiedEmail: { kind: 'flag', help: 'OpenID: the e-mail counts only with email_verified' },
  signOutThere: { kind: 'flag', help: 'OpenID: whoever signs out here is signed out at the provider too' },
  justInTime: {
    kind: 'flag',
    help: 'whoever the provider vouches for becomes a person at the first arrival',
  },
  domains: { kind: 'text', help: 'e-mail domains whose people sign in over it' },
  sites: { kind: 'text', help: 'sites whose people sign in over it' },
  disabled: { kind: 'flag', help: 'nobody signs in over it' },
};

/** A connection of which no more is known than its name. */
export const blankConnection: Required<ConnectionEntry> = {
  name: '',
  displayName: '',
  kind: 'saml',
  issuer: '',
  entryPoint: null,
  logoutUrl: null,
  certificates: [],
  entryPointBinding: null,
  nameIdFormat: null,
  offeredNameIdFormats: [],
  emailAttribute: null,
  firstNameAttribute: null,
  lastNameAttribute: null,
  clientId: null,
  scope: null,
  tokenAuthentication: null,
  emailClaim: null,
  firstNameClaim: null,
  lastNameClaim: null,
  requireVerifiedEmail: true,
  signOutThere: false,
  justInTime: false,
  domains: [],
  sites: [],
  disabled: false,
};
