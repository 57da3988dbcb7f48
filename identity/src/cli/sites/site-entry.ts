import { siteNameMaximumLength } from '@anteroom/contract';
import * as v from 'valibot';
import { sitePasswordPolicy } from '../../passwords/policy.ts';
import { siteNameKey } from '../../sites/sites-store.ts';
import { clearable, text, wholeNumber, yesOrNo } from '../fields.ts';
import type { Field } from '../noun.ts';

const displayNameMaximumLength = 200;
const addressMaximumLength = 2000;

/** The name stands in addresses (`/api/ui/sites/{name}`), where these mean something else to whatever is on the way. */
const siteName = v.pipe(
  text(siteNameMaximumLength),
  v.transform(siteNameKey),
  v.maxLength(siteNameMaximumLength, `must have at most ${siteNameMaximumLength} characters`),
  v.check((name) => !/[/\\?#%]/.test(name), 'must not hold / \\ ? # or %'),
  v.check((name) => !/^\.{1,2}$/.test(name), 'must be more than dots'),
);

/** As the front end follows them: http(s), or a path of the page's own origin (wire contract, "Addresses that a server sends"). */
const disguise = /[\s\\]/;
const isHttp = (address: string): boolean => {
  const url = URL.parse(address);
  return url !== null && /^https?:\/\/[^/?#]/i.test(address) && url.username === '' && url.password === '';
};
const ownOrigin = 'https://own.invalid';
const isOwnPath = (address: string): boolean => {
  const url = URL.parse(address, ownOrigin);
  return /^\/(?!\/)/.test(address) && url?.origin === ownOrigin && !url.pathname.startsWith('//');
};
const logoPath = v.pipe(
  text(addressMaximumLength),
  v.check(
    (address) => !disguise.test(address) && (isHttp(address) || isOwnPath(address)),
    'must be an http(s) address or a path that begins with one /',
  ),
);
const serviceUrl = v.pipe(
  text(addressMaximumLength),
  v.check(
    (address) => isHttp(address) && new URL(address).origin === address.replace(/\/$/, ''),
    'must be an origin such as https://eu.id.example, without a path',
  ),
  v.transform((address) => new URL(address).origin),
);

/** JSON, or the text of it. */
const passwordPolicy = v.optional(
  v.pipe(
    v.unknown(),
    v.rawTransform(({ dataset: { value }, addIssue, NEVER }) => {
      if (value === null || (typeof value === 'string' && value.trim() === '')) return null;
      const policy = v.safeParse(sitePasswordPolicy, typeof value === 'string' ? tryJson(value) : value);
      if (policy.success) return { ...policy.output };
      const [issue] = policy.issues;
      addIssue({ message: `must be a policy as JSON: ${v.getDotPath(issue) ?? ''} ${issue.message}` });
      return NEVER;
    }),
  ),
);

function tryJson(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return json;
  }
}

const entries = {
  name: siteName,
  displayName: v.optional(text(displayNameMaximumLength)),
  parent: clearable(siteName),
  sequence: wholeNumber(-1_000_000, 1_000_000),
  logoPath: clearable(logoPath),
  listed: yesOrNo,
  secondFactorRequired: yesOrNo,
  adaptiveSecondFactor: yesOrNo,
  allowPasswordEntry: yesOrNo,
  directorToDosEnabled: yesOrNo,
  identityServiceUrl: clearable(serviceUrl),
  passwordPolicy,
  disabled: yesOrNo,
};

export const siteEntry = v.object(entries, 'is needed');
export type SiteEntry = v.InferOutput<typeof siteEntry>;
export const siteFieldSchemas: Readonly<Record<string, v.GenericSchema>> = entries;

export const siteFields: Readonly<Record<keyof SiteEntry, Field>> = {
  name: { kind: 'text', help: 'what visitors type to name it, in lower case' },
  displayName: { kind: 'text', help: 'what visitors read', neededForNew: true },
  parent: { kind: 'text', help: 'the site whose group it stands in' },
  sequence: { kind: 'number', help: 'its place within the group' },
  logoPath: { kind: 'text', help: 'address of the logo: https://… or a path of the service' },
  listed: {
    kind: 'flag',
    help: 'visitors see the display name and the logo before they sign in, and find the site by its display name',
  },
  secondFactorRequired: { kind: 'flag', help: 'nobody enters without a code' },
  adaptiveSecondFactor: {
    kind: 'flag',
    help: 'a private computer may be remembered instead of a code each time',
  },
  allowPasswordEntry: { kind: 'flag', help: 'people sign in here with a password' },
  directorToDosEnabled: { kind: 'flag', help: 'directors see what awaits them here on the board list' },
  identityServiceUrl: { kind: 'text', help: "the site's home, when that is another identity service" },
  passwordPolicy: { kind: 'text', help: 'what differs from the default policy, as JSON' },
  disabled: { kind: 'flag', help: 'nobody finds it' },
};
