// Reads the lists in a process of its own, sends them packed and is gone. Beside the visitors it would keep them waiting while
// it reads, and leave 42 MB in their process for ever (measured; a worker thread leaves as much behind).
import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import { dictionary as common } from '@zxcvbn-ts/language-common';
import { dictionary as english } from '@zxcvbn-ts/language-en';
import { entryOf, foldPassword, packEntries } from './policy-entries.ts';

/** The operator's own list, one password a line. */
const [file] = process.argv.slice(2);

const breached = new Set(common['passwords-common'].map((text) => entryOf(foldPassword(text))));
if (file !== undefined) {
  for await (const line of createInterface({ input: createReadStream(file), crlfDelay: Infinity })) {
    if (line !== '') breached.add(entryOf(foldPassword(line)));
  }
}
const all = new Set(breached);
for (const words of [...Object.values(common), ...Object.values(english)]) {
  for (const word of words) all.add(entryOf(foldPassword(word)));
}

process.send?.({ breached: packEntries(breached), all: packEntries(all) }, () => process.disconnect());
