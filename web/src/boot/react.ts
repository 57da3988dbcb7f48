/** Stands in the file of React, so that React runs as soon as that file is there, in a task of its own, and not with the first of ours. */
export { flushSync } from 'react-dom';
export { createRoot } from 'react-dom/client';
