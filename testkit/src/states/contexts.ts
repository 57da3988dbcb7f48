import type { Branding, CallAnswer } from '@anteroom/contract';
import { contextAt } from '../scripted/opening-scene.ts';
import { dana } from './moves.ts';
import type { Stage } from './state.ts';

type Context = CallAnswer<'getAuthContext'>;

/** An application with its own branding; its accent colour is too pale to be readable without adjustment. */
export const harborBoards: Branding = { productName: 'Harbor Boards', accentColour: '#ffb300' };

const validSession = { state: 'valid', isExternallyAuthenticated: false } as const;

/** Sets the context of the visit: a known site without a session, with changes. */
export const context =
  (more: Partial<Context>) =>
  ({ script, urls }: Stage): void => {
    script.answer('getAuthContext', contextAt(urls, more));
  };

/** Sets the context of a user with a session at a site. */
export const signedIn = (more: Partial<Context> = {}): ((stage: Stage) => void) =>
  context({ userName: dana, session: { ...validSession, authSite: 'northwind' }, ...more });

/** Sets the context of a user with a session who must select a site. */
export const choosing = (more: Partial<Context> = {}): ((stage: Stage) => void) =>
  context({ userName: dana, selectSite: true, session: validSession, ...more });

/** Sets a context without a known site. */
export const unknownSite =
  (more: Partial<Context> = {}) =>
  ({ script, urls }: Stage): void => {
    const { identityServiceUrl: _address, ...rest } = contextAt(urls, {
      defaultSite: undefined,
      defaultSiteDisplayName: undefined,
      defaultSiteLogoPath: undefined,
      ...more,
    });
    script.answer('getAuthContext', rest);
  };

/** Combines two setups. */
export const both =
  (first: (stage: Stage) => void, second: (stage: Stage) => void) =>
  (stage: Stage): void => {
    first(stage);
    second(stage);
  };
