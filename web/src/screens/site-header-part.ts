import type { SiteHeader as Header } from './frame/SiteHeader.tsx';
// With the styles of the first screen: a page with the form would load a second file.
import './frame/site-header.module.css';

/** The header of the organisation, once it has loaded; the sign-in works without it. */
export const siteHeaderPart: { SiteHeader?: typeof Header } = {};

/** Called before the first step with the header, so that nothing shifts when it appears. */
export const loadSiteHeader = (): Promise<void> =>
  import('./frame/SiteHeader.tsx').then(
    ({ SiteHeader }) => void (siteHeaderPart.SiteHeader = SiteHeader),
    () => {},
  );
