import type { SamlSettings } from '../../src/enterprise/connection.ts';
import { sealSecret } from '../../src/enterprise/connections-store.ts';
import type { TestApplication } from '../application.ts';
import { keepConnection } from '../keep-connection.ts';
import type { ConnectionOfTest } from '../keep-connection.ts';

/** Sets a SAML connection up as an operator would; answers its id. */
export async function connectSaml(
  { services }: Pick<TestApplication, 'services'>,
  connection: ConnectionOfTest & { settings: SamlSettings; decryptionKeys?: string },
): Promise<string> {
  const id = services.random.token(8);
  const { settings, decryptionKeys } = connection;
  await keepConnection(services, id, connection, {
    kind: 'saml',
    settings,
    ...(decryptionKeys !== undefined && {
      sealedSecret: sealSecret(services.keys, services.random, id, decryptionKeys),
    }),
  });
  return id;
}
