import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';

const shellPage = (locale: string, form: string): string =>
  `<!doctype html><html lang="${locale}"><head><style>main{margin:0}</style><script type="module" src="/ui/assets/app/main-AbCd1234.js"></script></head><body><div id="root"></div><template data-shell="${form}"></template><script>window.early=2</script><noscript>Switch on JavaScript.</noscript></body></html>`;

const files = {
  'index.html':
    '<!doctype html><html lang="en"><head><style>body{margin:0}</style><script type="module" src="/ui/assets/app/main-AbCd1234.js"></script></head><body><script>window.early=1</script><noscript>Switch on JavaScript.</noscript></body></html>',
  'shells/en-site-entry.html': shellPage('en', 'site-entry'),
  'shells/en-credentials.html': shellPage('en', 'credentials'),
  'shells/de-site-entry.html': shellPage('de', 'site-entry'),
  'assets/app/main-AbCd1234.js': `console.log(${JSON.stringify('x'.repeat(2000))});`,
  'assets/i18n/en-1.21.0.json': '{"site":{"title":"Enter a Site"}}',
  'assets/i18n/de-1.21.0.json': '{"site":{"title":"Organisation eingeben"}}',
  'assets/i18n/selectSite/en-1.21.0.json': '{"selectSite":{}}',
  'assets/i18n/passkey/de-1.21.0.json': '{"passkey":{}}',
  'assets/i18n/recovery/de-1.21.0.json': '{"recovery":{}}',
  'assets/i18n/passwordChange/de-1.21.0.json': '{"passwordChange":{}}',
  'assets/i18n/noscript/ar-1.21.0.json': '{"noscript":{"signIn":"فعّل JavaScript"}}',
  'assets/icons/logo.svg': '<svg xmlns="http://www.w3.org/2000/svg"/>',
  '.vite/manifest.json': '{}',
};

/** Creates a folder like the output of the front-end build, with compressed files. */
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
