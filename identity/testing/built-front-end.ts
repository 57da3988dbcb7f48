import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';

const files = {
  'index.html':
    '<!doctype html><html lang="en"><head><style>body{margin:0}</style><script type="module" src="/ui/assets/app/main-AbCd1234.js"></script></head><body><script>window.early=1</script></body></html>',
  'assets/app/main-AbCd1234.js': `console.log(${JSON.stringify('x'.repeat(2000))});`,
  'assets/i18n/en-1.21.0.json': '{"site":{"title":"Enter a Site"}}',
  'assets/icons/logo.svg': '<svg xmlns="http://www.w3.org/2000/svg"/>',
  '.vite/manifest.json': '{}',
};

/** A folder as the build leaves it, with compressed siblings. */
export function makeBuiltFrontEnd(): string {
  const directory = mkdtempSync(join(tmpdir(), 'anteroom-dist-'));
  for (const [name, text] of Object.entries(files)) {
    const file = join(directory, name);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
    writeFileSync(`${file}.br`, brotliCompressSync(text));
    writeFileSync(`${file}.gz`, gzipSync(text));
  }
  return directory;
}
