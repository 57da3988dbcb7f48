/** The inline script of `index.html`. */
import { parseArrival } from './arrival.ts';
import { begin } from './begin.ts';

/** The build replaces this with the address of `branding.ts`. */
const brandingPart = '__branding__';

/** Preloads the branding chunk in parallel with the application, if the context has a branding. */
async function loadBranding(context: Response): Promise<void> {
  if (!/"branding":\s*\{/.test(await context.clone().text())) return;
  const link = document.createElement('link');
  link.rel = 'modulepreload';
  link.href = brandingPart;
  document.head.append(link);
}

const { early } = begin(parseArrival(new URL(location.href)));
early.authContext?.then(loadBranding).catch(() => {});
