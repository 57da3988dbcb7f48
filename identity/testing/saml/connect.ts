import type { SamlSettings } from '../../src/company/connection.ts';
import { sealSecret } from '../../src/company/connections-store.ts';
import type { TestApplication } from '../application.ts';
import { storeConnection } from '../store-connection.ts';
import type { TestConnection } from '../store-connection.ts';

/** Creates a SAML connection. Returns its id. */
export async function connectSaml(
  { services }: Pick<TestApplication, 'services'>,
  connection: TestConnection & { settings: SamlSettings; decryptionKeys?: string },
): Promise<string> {
  const id = services.random.token(8);
  const { settings, decryptionKeys } = connection;
  await storeConnection(services, id, connection, {
    kind: 'saml',
    settings,
    ...(decryptionKeys !== undefined && {
      sealedSecret: sealSecret(services.keys, services.random, id, decryptionKeys),
    }),
  });
  return id;
}
