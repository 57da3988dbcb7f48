import type { SiteHeader as Header } from './frame/SiteHeader.tsx';
// Bundles these styles with those of the first screen, so that a page with the form does not load a second file.
import './frame/site-header.module.css';

/** The header of the organisation, once it has loaded; the sign-in works without it. */
export const siteHeaderPart: { SiteHeader?: typeof Header } = {};

/** Loads the header. Called before the first step that shows it, so that nothing shifts. */
export const loadSiteHeader = (): Promise<void> =>
  import('./frame/SiteHeader.tsx').then(
    ({ SiteHeader }) => void (siteHeaderPart.SiteHeader = SiteHeader),
    () => {},
  );
