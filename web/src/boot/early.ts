/** The inline script of `index.html`. */
import { parseArrival } from './arrival.ts';
import { begin } from './begin.ts';

/** The build replaces these with the addresses of the files of each part, separated by spaces. */
const brandingFiles = '__branding__';
const accountFiles = '__account__';
const passkeyFiles = '__passkey__';
const recoveryFiles = '__recovery__';
const siteListFiles = '__sites__';

const { early, answers } = begin(parseArrival(new URL(location.href)));
const { entry } = early.arrival;
early.authContext?.then(loadBranding).catch(() => {});
// After the application's own files, which are larger: a browser sends only six requests at a time over HTTP/1.1.
const laterFiles = findLaterFiles();
if (laterFiles) setTimeout(preload, 0, laterFiles);

function findLaterFiles(): string | undefined {
  // The service puts the list into a page that begins with it.
  if (entry.kind === 'login' && Object.keys(answers).some((address) => address.startsWith('/api/ui/sites')))
    return siteListFiles;
  if (entry.kind !== 'standalone') return undefined;
  if (entry.page === 'account') return accountFiles;
  return entry.page === 'passkey' ? passkeyFiles : recoveryFiles;
}

/** Preloads the branding chunk in parallel with the application, if the context has a branding. */
async function loadBranding(context: Response): Promise<void> {
  if (/"branding":\s*\{/.test(await context.clone().text())) preload(brandingFiles);
}

function preload(files: string): void {
  for (const href of files.split(' ')) {
    const link = document.createElement('link');
    link.rel = 'modulepreload';
    if (href.endsWith('css')) {
      link.rel = 'preload';
      link.as = 'style';
    }
    link.href = href;
    document.head.append(link);
  }
}
