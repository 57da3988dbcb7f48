import { siteNameMaximumLength, userNameMaximumLength } from '@anteroom/contract';
import * as v from 'valibot';
import { siteNameKey } from '../../sites/sites-store.ts';
import { clearable, text, yesOrNo } from '../fields.ts';
import type { Field } from '../noun.ts';

const labelMaximumLength = 100;

const entries = {
  userName: text(userNameMaximumLength),
  site: v.pipe(text(siteNameMaximumLength), v.transform(siteNameKey)),
  entitlementRequirementsMet: yesOrNo,
  clientEntitlement: clearable(text(labelMaximumLength)),
};

export const memberEntry = v.object(entries, 'is needed');
export type MemberEntry = v.InferOutput<typeof memberEntry>;
export const memberFieldSchemas: Readonly<Record<string, v.GenericSchema>> = entries;

export const memberFields: Readonly<Record<keyof MemberEntry, Field>> = {
  userName: { kind: 'text', help: 'user name or e-mail of the person' },
  site: { kind: 'text', help: 'name of the site' },
  entitlementRequirementsMet: {
    kind: 'flag',
    help: 'may enter it; otherwise it is shown and cannot be entered',
  },
  clientEntitlement: { kind: 'text', help: 'the label beside the site' },
};
