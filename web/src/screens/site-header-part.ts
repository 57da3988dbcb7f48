import type { SiteHeader as Header } from './frame/SiteHeader.tsx';

/** The header of the organisation, once it has been loaded; without it the page still signs people in. */
export const siteHeaderPart: { SiteHeader?: typeof Header } = {};

/** Called before the first step that shows the header, so that nothing moves when it comes. */
export const loadSiteHeader = (): Promise<void> =>
  import('./frame/SiteHeader.tsx').then(
    ({ SiteHeader }) => void (siteHeaderPart.SiteHeader = SiteHeader),
    () => {},
  );
