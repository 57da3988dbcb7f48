import type { RelyingParty } from './sign-in-visit.ts';

export { demoPassword } from '@anteroom/identity/demo/demo-data';

/** The sign-ins of the demo data, by what they stand for. */
export const demoPeople = {
  /** Second factor by SMS; northwind, harbor and summit; to-dos. */
  director: 'director@demo.example',
  /** Password only; harbor. */
  secretary: 'secretary@demo.example',
  /** Must change the password. */
  newcomer: 'newcomer@demo.example',
} as const;

/** The demo portal as the service knows it: a public client, so that PKCE is what binds its codes to it. */
export function demoParty(demoPort: number): RelyingParty {
  return { clientId: 'director', redirectUri: `http://localhost:${demoPort}/callback` };
}
