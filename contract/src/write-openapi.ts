// Writes docs/openapi.json from the contract; with --check it only says whether the file is what the contract gives.
import { readFileSync, writeFileSync } from 'node:fs';
import { openApiDocument } from './openapi.ts';

const file = new URL('../../docs/openapi.json', import.meta.url);
const wanted = `${JSON.stringify(openApiDocument(), null, 2)}\n`;

if (process.argv.includes('--check')) {
  if (readFileSync(file, 'utf8') !== wanted) {
    process.stderr.write(
      'docs/openapi.json is not what the contract gives: run `node contract/src/write-openapi.ts`\n',
    );
    process.exitCode = 1;
  }
} else {
  writeFileSync(file, wanted);
}
