import type { SamlSettings } from '../../src/enterprise/connection.ts';
import type { TestApplication } from '../application.ts';
import { keepConnection } from '../keep-connection.ts';
import type { ConnectionOfTest } from '../keep-connection.ts';

/** Sets a SAML connection up as an operator would; answers its id. */
export async function connectSaml(
  { services }: Pick<TestApplication, 'services'>,
  connection: ConnectionOfTest & { settings: SamlSettings },
): Promise<string> {
  const id = services.random.token(8);
  await keepConnection(services, id, connection, { kind: 'saml', settings: connection.settings });
  return id;
}
