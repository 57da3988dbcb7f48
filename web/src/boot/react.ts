/**
 * This module is in the React chunk, so that React is evaluated in its own task as soon as that file has loaded, not
 * together with the first application code.
 */
export { startTransition } from 'react';
export { flushSync } from 'react-dom';
export { createRoot, hydrateRoot } from 'react-dom/client';
