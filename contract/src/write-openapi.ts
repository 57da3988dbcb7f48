// Writes the OpenAPI documents from the contract. With --check, only compares the files with the contract.
import { readFileSync, writeFileSync } from 'node:fs';
import { boardSystemsDocument } from './openapi-board-systems.ts';
import { openApiDocument } from './openapi.ts';

const documents = {
  'docs/openapi.json': openApiDocument(),
  'docs/board-systems-openapi.json': boardSystemsDocument(),
};

for (const [name, document] of Object.entries(documents)) {
  const file = new URL(`../../${name}`, import.meta.url);
  const wanted = `${JSON.stringify(document, null, 2)}\n`;
  if (!process.argv.includes('--check')) {
    writeFileSync(file, wanted);
  } else if (readFileSync(file, 'utf8') !== wanted) {
    process.stderr.write(`${name} is not up to date: run \`node contract/src/write-openapi.ts\`\n`);
    process.exitCode = 1;
  }
}
