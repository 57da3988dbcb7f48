import type { Branding, CallAnswer } from '@anteroom/contract';
import { contextAt } from '../scripted/opening-scene.ts';
import { dana } from './moves.ts';
import type { Stage } from './state.ts';

type Context = CallAnswer<'getAuthContext'>;

/** An application that wants to be recognised; its accent is too pale to be read as it is. */
export const harborBoards: Branding = { productName: 'Harbor Boards', accentColour: '#ffb300' };

const validSession = { state: 'valid', isExternallyAuthenticated: false } as const;

/** The context of the visit, as a change to that of a known site at which nobody is signed in. */
export const context =
  (more: Partial<Context>) =>
  ({ script, places }: Stage): void => {
    script.answer('getAuthContext', contextAt(places, more));
  };

/** The same for somebody who is signed in at a site. */
export const signedIn = (more: Partial<Context> = {}): ((stage: Stage) => void) =>
  context({ userName: dana, session: { ...validSession, authSite: 'northwind' }, ...more });

/** The same for somebody who is signed in and has a site to choose. */
export const choosing = (more: Partial<Context> = {}): ((stage: Stage) => void) =>
  context({ userName: dana, selectSite: true, session: validSession, ...more });

/** The organisation of the known site, as the front end's own service tells of it. */
export const organisation = {
  defaultSiteDisplayName: 'Northwind Holdings',
  defaultSiteLogoPath: '/ui/favicon.svg',
} as const satisfies Partial<Context>;

/** Nobody knows the site yet. */
export const unknownSite =
  (more: Partial<Context> = {}) =>
  ({ script, places }: Stage): void => {
    const { identityServiceUrl: _address, defaultSite: _site, ...rest } = contextAt(places, more);
    script.answer('getAuthContext', rest);
  };

/** One after the other. */
export const both =
  (first: (stage: Stage) => void, second: (stage: Stage) => void) =>
  (stage: Stage): void => {
    first(stage);
    second(stage);
  };
