// The service's own tests reach the repository's tools only through this folder.
export { findFreePort } from '../../tools/start/ports.ts';
