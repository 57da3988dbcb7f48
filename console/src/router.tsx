import type { RouteObject } from 'react-router';
import { loadMe, rootId } from './me.ts';
import { Frame } from './ui/frame/Frame.tsx';
import { Failure } from './ui/failure/Failure.tsx';
import { Loading } from './ui/frame/Loading.tsx';

/** Each screen is a chunk of its own that exports its `loader` and its `Component`. */
export const routes: RouteObject[] = [
  {
    id: rootId,
    path: '/',
    loader: loadMe,
    Component: Frame,
    ErrorBoundary: Failure,
    HydrateFallback: Loading,
    // Read again after a change, because it says until when the proof is fresh, but not with each address.
    shouldRevalidate: ({ currentUrl, nextUrl }) => currentUrl.href === nextUrl.href,
    children: [
      {
        ErrorBoundary: Failure,
        children: [
          { index: true, lazy: () => import('./screens/home/Home.tsx') },
          { path: 'users/:id', lazy: () => import('./screens/user/User.tsx') },
          { path: 'sites/:site/people', lazy: () => import('./screens/site/People.tsx') },
          { path: 'sites/:site/activity', lazy: () => import('./screens/site/Activity.tsx') },
          { path: 'sites/:site', lazy: () => import('./screens/site/Site.tsx') },
          { path: 'sites/:site/sign-in', lazy: () => import('./screens/site/SignIn.tsx') },
          { path: 'sites/:site/settings', lazy: () => import('./screens/resource/Entry.tsx') },
          { path: 'confirmed', lazy: () => import('./screens/confirmed/Confirmed.tsx') },
          { path: 'roles', lazy: () => import('./screens/roles/Roles.tsx') },
          { path: ':resource', lazy: () => import('./screens/resource/List.tsx') },
          { path: 'new/:resource', lazy: () => import('./screens/resource/New.tsx') },
          { path: 'import/:resource', lazy: () => import('./screens/resource/Import.tsx') },
          { path: ':resource/:name', lazy: () => import('./screens/resource/Entry.tsx') },
          { path: 'audit', lazy: () => import('./screens/audit/Audit.tsx') },
        ],
      },
    ],
  },
];
