import { sealSecret } from '../../src/enterprise/connections-store.ts';
import type { OpenidSettings } from '../../src/enterprise/connection.ts';
import type { TestApplication } from '../application.ts';
import { keepConnection } from '../keep-connection.ts';
import type { ConnectionOfTest } from '../keep-connection.ts';

/** Sets an OpenID connection up as an operator would; answers its id. */
export async function connect(
  { services, keys }: TestApplication,
  connection: ConnectionOfTest & {
    settings: Partial<OpenidSettings> & Pick<OpenidSettings, 'issuer' | 'clientId'>;
    clientSecret?: string;
  },
): Promise<string> {
  const { random } = services;
  const id = random.token(8);
  const sealedSecret = connection.clientSecret && sealSecret(keys, random, id, connection.clientSecret);
  await keepConnection(services, id, connection, {
    kind: 'openid',
    settings: connection.settings,
    sealedSecret,
  });
  return id;
}
