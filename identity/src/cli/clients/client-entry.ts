import * as v from 'valibot';
import { clearable, text, yesOrNo } from '../fields.ts';
import type { Field } from '../noun.ts';

const displayNameMaximumLength = 200;
const addressMaximumLength = 2000;
/** As the front end shows it (docs/operations.md, "An application's own brand"). */
const productNameMaximumLength = 50;

/** It stands in addresses and logs: nothing in it needs to be escaped anywhere. */
const clientId = v.pipe(
  text(100),
  v.regex(/^[A-Za-z0-9][A-Za-z0-9._-]*$/, 'must be letters, digits, dots, hyphens and underscores'),
);

const isAddress = (said: string): boolean => {
  const url = URL.parse(said);
  return (
    url !== null &&
    /^https?:\/\/[^/?#\\]/i.test(said) &&
    !/[\s\\]/.test(said) &&
    url.username === '' &&
    url.password === '' &&
    url.hash === ''
  );
};
const address = v.pipe(
  text(addressMaximumLength),
  v.check(isAddress, 'must be an http(s) address without credentials and fragment'),
);

/** Several, with spaces between them; in JSON also a list. What an address may be is the provider's to say (RFC 8252 has its own). */
const addresses = v.optional(
  v.pipe(
    v.nullable(v.union([v.string(), v.array(v.string())], 'must be addresses with spaces between them')),
    v.transform((said) =>
      (Array.isArray(said) ? said : (said ?? '').split(/\s+/)).filter((one) => one !== ''),
    ),
    v.check(
      (all) => all.every((one) => URL.canParse(one) && one.length <= addressMaximumLength),
      'must be addresses with spaces between them',
    ),
  ),
);

export const authenticationMethods = [
  'none',
  'client_secret_basic',
  'client_secret_post',
  'private_key_jwt',
] as const;

const entries = {
  id: clientId,
  displayName: v.optional(text(displayNameMaximumLength)),
  redirectUris: addresses,
  postLogoutRedirectUris: addresses,
  authentication: v.optional(
    v.picklist(authenticationMethods, `must be ${authenticationMethods.join(', ')}`),
  ),
  jwksUri: clearable(address),
  offlineAccess: yesOrNo,
  pkceOptional: yesOrNo,
  idTokenProfile: yesOrNo,
  homeUri: clearable(address),
  cancelUri: clearable(address),
  initiateLoginUri: clearable(address),
  backChannelLogoutUri: clearable(address),
  frontChannelLogoutUri: clearable(address),
  adaptiveSecondFactor: yesOrNo,
  skipSplash: yesOrNo,
  languageSelectionAndLinksDisabled: yesOrNo,
  publicComputerSignInDisabled: yesOrNo,
  signInCredentialsRecoveryDisabled: yesOrNo,
  nestedUIEliminated: yesOrNo,
  productName: clearable(text(productNameMaximumLength)),
  logoUrl: clearable(address),
  accentColour: clearable(v.pipe(text(7), v.regex(/^#[0-9a-f]{6}$/i, 'must be a colour such as #1f4e79'))),
};

export const clientEntry = v.object(entries, 'is needed');
export type ClientEntry = v.InferOutput<typeof clientEntry>;
export const clientFieldSchemas: Readonly<Record<string, v.GenericSchema>> = entries;

export const clientFields: Readonly<Record<keyof ClientEntry, Field>> = {
  id: { kind: 'text', help: 'the client id' },
  displayName: { kind: 'text', help: 'what people call it', neededForNew: true },
  redirectUris: { kind: 'text', help: 'where sign-ins end, with spaces between them', neededForNew: true },
  postLogoutRedirectUris: { kind: 'text', help: 'where sign-outs end, with spaces between them' },
  authentication: { kind: 'text', help: `how it proves itself: ${authenticationMethods.join(', ')}` },
  jwksUri: { kind: 'text', help: 'where its public keys are, for private_key_jwt' },
  offlineAccess: { kind: 'flag', help: 'may ask for refresh tokens (offline_access)' },
  pkceOptional: { kind: 'flag', help: 'may leave out PKCE; never with --authentication none' },
  idTokenProfile: { kind: 'flag', help: 'name and e-mail also in the ID token, for profile and email' },
  homeUri: { kind: 'text', help: 'its start page' },
  cancelUri: { kind: 'text', help: 'where "cancel" and "back to boards" lead' },
  initiateLoginUri: { kind: 'text', help: 'where it begins a sign-in that somebody else asks for' },
  backChannelLogoutUri: { kind: 'text', help: 'told of sign-outs from server to server' },
  frontChannelLogoutUri: { kind: 'text', help: 'told of sign-outs by the browser' },
  adaptiveSecondFactor: { kind: 'flag', help: 'private computers may be remembered' },
  skipSplash: { kind: 'flag', help: 'pages come without the splash screen' },
  languageSelectionAndLinksDisabled: { kind: 'flag', help: 'no language picker and no links' },
  publicComputerSignInDisabled: {
    kind: 'flag',
    help: 'nobody is asked whether the computer is a public one',
  },
  signInCredentialsRecoveryDisabled: { kind: 'flag', help: 'no link for forgotten passwords' },
  nestedUIEliminated: { kind: 'flag', help: 'without the card' },
  productName: { kind: 'text', help: 'brand: its name on our pages' },
  logoUrl: { kind: 'text', help: 'brand: its logo, on an origin of LOGO_ORIGINS' },
  accentColour: { kind: 'text', help: 'brand: #rrggbb' },
};
