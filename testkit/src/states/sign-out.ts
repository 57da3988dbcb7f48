import { logoutContextAt } from '../scripted/opening-scene.ts';
import { harborBoards } from './contexts.ts';
import { submit, untilLoading } from './moves.ts';
import { statesOf } from './state.ts';
import type { Stage } from './state.ts';

const path = '/account/logout?logoutId=lo-1';

export const signOutStates = statesOf('Sign-out', 'logout', [
  { id: 'sign-out', name: 'sign-out', path },
  {
    id: 'sign-out-without-cancel',
    name: 'sign-out, without a return address',
    path,
    set: ({ script }: Stage) =>
      script.answer('getLogoutContext', { requiresConfirmation: true, showCancelButton: false }),
  },
  {
    id: 'sign-out-brand',
    name: 'sign-out from an application with its own branding',
    path,
    set: ({ script, urls }: Stage) =>
      script.answer('getLogoutContext', { ...logoutContextAt(urls), branding: harborBoards }),
  },
  {
    id: 'sign-out-under-way',
    name: 'sign-out, loading',
    path,
    set: ({ script }: Stage) => void script.hold('signOut'),
    moves: [submit, untilLoading],
  },
  {
    id: 'signed-out',
    name: 'signed out',
    step: 'logged-out',
    path: '/account/logged-out?logoutId=lo-1',
    // Without a return address the page stays.
    set: ({ script, urls }: Stage) =>
      script.answer('getLogoutContext', {
        requiresConfirmation: false,
        showCancelButton: false,
        signOutIFrameUrl: `${urls.application}/sign-out-frame`,
      }),
  },
]);
