import { logoutContextAt } from '../scripted/opening-scene.ts';
import { harborBoards } from './contexts.ts';
import { submit, underWay } from './moves.ts';
import { statesOf } from './state.ts';
import type { Stage } from './state.ts';

const path = '/account/logout?logoutId=lo-1';

export const signOutStates = statesOf('Sign-out', 'logout', [
  { id: 'sign-out', name: 'sign-out', path },
  {
    id: 'sign-out-without-cancel',
    name: 'sign-out, without a way back',
    path,
    set: ({ script }: Stage) =>
      script.answer('getLogoutContext', { requiresConfirmation: true, showCancelButton: false }),
  },
  {
    id: 'sign-out-brand',
    name: 'sign-out from an application with a brand of its own',
    path,
    set: ({ script, places }: Stage) =>
      script.answer('getLogoutContext', { ...logoutContextAt(places), branding: harborBoards }),
  },
  {
    id: 'sign-out-under-way',
    name: 'sign-out, under way',
    path,
    set: ({ script }: Stage) => void script.hold('signOut'),
    moves: [submit, underWay],
  },
  {
    id: 'signed-out',
    name: 'signed out',
    step: 'logged-out',
    path: '/account/logged-out?logoutId=lo-1',
    // without an address to go on to the page stays
    set: ({ script, places }: Stage) =>
      script.answer('getLogoutContext', {
        requiresConfirmation: false,
        showCancelButton: false,
        signOutIFrameUrl: `${places.application}/sign-out-frame`,
      }),
  },
]);
