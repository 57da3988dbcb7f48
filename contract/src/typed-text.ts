// Codes, phone numbers and addresses as people type and paste them: with the digits and dashes of any script.

import { typedName } from './typed-names.ts';

/** Replaces the digits of other scripts (`٤٧١`, `४७१`). Unicode lists the digits of a script in order from 0. */
export function toAsciiDigits(text: string): string {
  return text.replaceAll(/\p{Nd}/gu, (digit) => {
    const codePoint = digit.codePointAt(0) ?? 0;
    let zero = codePoint;
    while (/\p{Nd}/u.test(String.fromCodePoint(zero - 1))) zero -= 1;
    return String((codePoint - zero) % 10);
  });
}

const toPlain = (text: string): string => toAsciiDigits(text.normalize('NFKC'));

/** Characters that have no meaning in a code: everything but letters and digits. */
const toCode = (text: string): string => text.replaceAll(/[^\p{L}\p{N}]+/gu, '').toUpperCase();

/** 16 characters of base 32. */
export const recoveryCode = /^[A-Z2-7]{16}$/;

/**
 * A one-time code or recovery code without spaces, dashes and invisible characters, in ASCII digits and capitals. The
 * number of a recovery code in a list (`1. ABCD-…`, `#3 ABCD-…`) is removed.
 */
export function typedCode(typed: string): string {
  const text = toPlain(typed);
  const listed = toCode(text.replace(/^\P{N}*\p{N}{1,2}[^\p{L}\p{N}]+/u, ''));
  return recoveryCode.test(listed) ? listed : toCode(text);
}

/** The recovery code that the text contains; undefined if it is not a whole one. */
export function findRecoveryCode(typed: string): string | undefined {
  const code = typedCode(typed);
  return recoveryCode.test(code) ? code : undefined;
}

/** A phone number without what people write between its digits, and with the plus sign that `00` stands for. */
export function typedPhoneNumber(typed: string): string {
  return toPlain(typed)
    .replaceAll(/^\s*tel:|[\s()[\]./\p{Pd}\u2212\p{Cf}\p{Default_Ignorable_Code_Point}]+/giu, '')
    .replace(/^00/, '+');
}

/**
 * Whether a number has a trunk prefix in brackets, as in `+44 (0)20 7946 0142`. It cannot be interpreted: most countries
 * omit the 0 in a call from abroad, and Italy dials it.
 */
export function hasTrunkPrefix(typed: string): boolean {
  return /[([]\s*0\s*[)\]]/.test(toPlain(typed).replaceAll(/[\p{Cf}\p{Default_Ignorable_Code_Point}]/gu, ''));
}

/**
 * What a visitor means by text that was pasted as a user name or e-mail address: without invisible characters and white
 * space, and without what surrounds a copied address (`mailto:eva@corp.example`, `Eva Holm <eva@corp.example>;`,
 * `“eva@corp.example”.`).
 */
export function typedSignInName(typed: string): string {
  const text = typedName(typed.normalize('NFKC'));
  const [, inBrackets] = /<\s*([^<>]+@[^<>]+?)\s*>\W*$/u.exec(text) ?? [];
  return (inBrackets ?? text)
    .replaceAll(/\s+/gu, '')
    .replace(/^mailto:([^?]+@[^?]+)(?:\?.*)?$/i, '$1')
    .replace(/(?<=@.*)[.,:;]+$/, '')
    .replace(/^["'‘’“”«([](.+@.+?)[.,:;]*["'‘’“”»)\]]$/u, '$1');
}
