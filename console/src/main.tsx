import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { createBrowserRouter } from 'react-router';
import { RouterProvider } from 'react-router/dom';
import '../../web/src/ui/tokens.css';
import '../../web/src/ui/base.css';
import './ui/base.css';
import { takeReturn } from './proof.ts';
import { routes } from './router.tsx';

takeReturn();
// A page from the back/forward cache may show data after the operator has signed out.
window.addEventListener('pageshow', ({ persisted }) => {
  if (persisted) location.reload();
});

const root = document.querySelector('#root');
if (root === null) throw new Error('The page has no #root');
createRoot(root).render(
  <StrictMode>
    <RouterProvider router={createBrowserRouter(routes, { basename: '/console' })} />
  </StrictMode>,
);
