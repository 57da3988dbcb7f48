import type { RelyingParty } from './sign-in-visit.ts';

export { demoPassword } from '@anteroom/identity/demo/demo-data';

/** The users of the demo data. */
export const demoUsers = {
  /** Has a second factor by SMS; member of northwind, harbor and summit; has to-dos. */
  director: 'director@demo.example',
  /** Has only a password; member of harbor. */
  secretary: 'secretary@demo.example',
  /** Must change the password. */
  newcomer: 'newcomer@demo.example',
  /** Owner of the installation; has a second factor by SMS; member of northwind. */
  owner: 'owner@demo.example',
} as const;

/**
 * The demo portal as registered at the service. It is a public client, so its authorization codes are bound to it by
 * PKCE.
 */
export function demoParty(demoPort: number): RelyingParty {
  return { clientId: 'director', redirectUri: `http://localhost:${demoPort}/callback` };
}
