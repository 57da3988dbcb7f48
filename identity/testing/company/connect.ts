import { sealSecret } from '../../src/company/connections-store.ts';
import type { OpenidSettings } from '../../src/company/connection.ts';
import type { TestApplication } from '../application.ts';
import { storeConnection } from '../store-connection.ts';
import type { TestConnection } from '../store-connection.ts';

/** Creates an OpenID connection. Returns its id. */
export async function connect(
  { services, keys }: TestApplication,
  connection: TestConnection & {
    settings: Partial<OpenidSettings> & Pick<OpenidSettings, 'issuer' | 'clientId'>;
    clientSecret?: string;
  },
): Promise<string> {
  const { random } = services;
  const id = random.token(8);
  const sealedSecret = connection.clientSecret && sealSecret(keys, random, id, connection.clientSecret);
  await storeConnection(services, id, connection, {
    kind: 'openid',
    settings: connection.settings,
    sealedSecret,
  });
  return id;
}
