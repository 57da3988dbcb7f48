/** The settings of the portal: its port, its address and its providers. */
export type DemoConfig = {
  port: number;
  /** The portal's public address, without a trailing slash. */
  publicUrl: string;
  /** The OpenID provider for sign-ins. */
  issuer: string;
  /** Providers of other regions, which can initiate a login. No others are trusted. */
  otherIssuers?: string[];
  clientId: string;
  /** Whether the portal also serves a company with its own identity provider; never in production. */
  company: boolean;
};

/**
 * Reads the settings from the environment.
 * @throws for an invalid port or address
 */
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
