/** Where the portal listens, who it is, and whom it sends people to for signing in. */
export type DemoConfig = {
  port: number;
  /** The portal's own address, without a slash behind it. */
  publicUrl: string;
  /** The OpenID provider that a sign-in begins at. */
  issuer: string;
  /** Providers of other regions, which may ask for a sign-in of their own; no other one is ever trusted. */
  otherIssuers?: string[];
  clientId: string;
  /** Whether a company with an identity provider of its own is beside the portal; never in production. */
  company: boolean;
};

/** Reads the settings out of the environment. @throws when one of them is no port or no address. */
export function readConfig(environment: NodeJS.ProcessEnv): DemoConfig {
  const port = requirePort(environment['DEMO_PORT'] || '4401');
  return {
    port,
    publicUrl: requireOrigin('DEMO_PUBLIC_URL', environment['DEMO_PUBLIC_URL'] || `http://localhost:${port}`),
    issuer: requireOrigin('ISSUER', environment['ISSUER'] || 'http://localhost:4400'),
    otherIssuers: (environment['OTHER_ISSUERS'] || '')
      .split(',')
      .filter((text) => text !== '')
      .map((text) => requireOrigin('OTHER_ISSUERS', text)),
    clientId: environment['CLIENT_ID'] || 'director',
    company: environment['NODE_ENV'] !== 'production',
  };
}

function requirePort(text: string): number {
  if (!/^\d{1,5}$/.test(text) || Number(text) > 65_535)
    throw new Error(`DEMO_PORT must be a port number, not "${text}"`);
  return Number(text);
}

function requireOrigin(name: string, text: string): string {
  const url = URL.parse(text);
  if (url === null || !/^https?:$/.test(url.protocol))
    throw new Error(`${name} must be an address, not "${text}"`);
  return url.origin;
}
