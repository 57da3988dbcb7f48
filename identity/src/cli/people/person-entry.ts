import { userNameMaximumLength } from '@anteroom/contract';
import * as v from 'valibot';
import { isDialable } from '../../second-factor/phone-number.ts';
import { clearable, text, yesOrNo } from '../fields.ts';
import type { Field } from '../noun.ts';

const nameMaximumLength = 100;

/** One @ with something on both sides and a dot behind it: whether anybody reads it, only a mail can tell. */
const emailShape = /^[^\s@<>"(),:;[\]\\]+@[^\s@<>"(),:;[\]\\.]+(?:\.[^\s@<>"(),:;[\]\\.]+)+$/u;

/** It is typed into the field for the user name, which takes no more. */
const email = v.pipe(text(userNameMaximumLength), v.regex(emailShape, 'must be an e-mail address'));

/** As people write numbers, with spaces, hyphens and brackets; kept as E.164. */
const phoneNumber = v.pipe(
  text(40),
  v.transform((number) => number.replace(/[\s().\u2010-\u2015-]/g, '')),
  v.check(isDialable, 'must be a number with its country, such as +442079460142 (E.164)'),
);

/** The shape of those that are made up here; nothing in it means anything. */
const id = v.pipe(v.string(), v.regex(/^[\w-]{8,64}$/, 'must have 8 to 64 letters, digits, - or _'));

const entries = {
  userName: text(userNameMaximumLength),
  firstName: v.optional(text(nameMaximumLength)),
  lastName: v.optional(text(nameMaximumLength)),
  email: clearable(email),
  boardsUserName: clearable(text(userNameMaximumLength)),
  phoneNumber: clearable(phoneNumber),
  signsInElsewhere: yesOrNo,
  mustChangePassword: yesOrNo,
  disabled: yesOrNo,
  id: v.optional(id),
};

export const personEntry = v.object(entries, 'is needed');
export type PersonEntry = v.InferOutput<typeof personEntry>;
export const personFieldSchemas: Readonly<Record<string, v.GenericSchema>> = entries;

export const personFields: Readonly<Record<keyof PersonEntry, Field>> = {
  userName: { kind: 'text', help: 'what the person signs in with' },
  firstName: { kind: 'text', help: 'first name', neededForNew: true },
  lastName: { kind: 'text', help: 'last name', neededForNew: true },
  email: { kind: 'text', help: 'sign-in e-mail, and where messages go' },
  boardsUserName: { kind: 'text', help: 'the name that the board system knows, when it is another' },
  phoneNumber: { kind: 'text', help: 'for codes by SMS, with the country: +44…' },
  signsInElsewhere: { kind: 'flag', help: 'has no password here: the organisation signs the person in' },
  mustChangePassword: { kind: 'flag', help: 'must choose a new password at the next sign-in' },
  disabled: { kind: 'flag', help: 'cannot sign in' },
  id: { kind: 'text', help: 'the same in every region; made up when it is not said, and never changed' },
};
