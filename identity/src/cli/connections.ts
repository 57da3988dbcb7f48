import { Argument, Option } from 'commander';
import type { Command } from 'commander';
import { kindsOf, presets, writeGuide } from '../admin/connection-guides.ts';
import type { Preset } from '../admin/connection-guides.ts';
import { testConnection } from '../admin/connection-test.ts';
import {
  clientSecretMaximumLength,
  connections,
  createConnections,
  parseConnectionName,
} from '../admin/connections.ts';
import type { SecretChange } from '../admin/connections.ts';
import { RefusedError } from '../admin/problems.ts';
import { createOutgoingFetch } from '../company/openid/outgoing.ts';
import { addDecryptionKey } from '../company/saml/own-keys.ts';
import { MetadataRefusal, fetchMetadata, readProviderMetadata } from '../company/saml/provider-metadata.ts';
import { UsageError, mayAsk, readPiped, readSmallFile } from './cli-context.ts';
import type { CommonOptions, CliContext } from './cli-context.ts';
import { printFindings, printList } from './output.ts';
import { addResourceCommands } from './resource-commands.ts';
import { completeEntry } from './save-commands.ts';
import type { SaveOptions } from './save-commands.ts';

type ConnectionOptions = SaveOptions & {
  metadata?: string;
  certificateFile?: string[];
  secretStdin?: boolean;
  publicClient?: boolean;
  decryptionKey?: 'new' | 'none';
};

export function addConnectionCommands(parent: Command, cli: CliContext): void {
  addResourceCommands(parent, cli, connections, {
    withOptions: (command) =>
      command
        .option(
          '--metadata <file or address>',
          "SAML: the provider's metadata (issuer, addresses, certificates); metadata at an address is refreshed once a day",
        )
        .option('--certificate-file <file...>', 'SAML: signing certificates as PEM, two during a rotation')
        .addOption(
          new Option(
            '--decryption-key <change>',
            "SAML: 'new' publishes a new key for encrypted assertions and keeps the previous one for decryption; 'none' refuses encrypted assertions",
          )
            .choices(['new', 'none'])
            .conflicts(['secretStdin', 'publicClient']),
        )
        .option('--secret-stdin', 'OpenID: read the client secret from standard input')
        .option('--public-client', 'OpenID: the client has no secret'),
    async prepareOne(_cli, values, options: ConnectionOptions) {
      const read = await readFiles(cli, options);
      const entry = await completeEntry(cli, connections, { ...values, ...read }, options);
      const { database } = await cli.open();
      const known = await connections.find(database, entry);
      const needsSecret =
        known === undefined &&
        entry['kind'] === 'openid' &&
        entry['tokenAuthentication'] !== 'private_key_jwt';
      const change = toKeyChange(options) ?? (await readSecret(cli, options, needsSecret));
      return { entry, resource: createConnections(change) };
    },
  });
  addGuide(parent, cli);
  parent
    .command('test')
    .description('test the connection without signing in, and show the values to register at the provider')
    .argument('<name>', connections.fields['name']?.help)
    .action(async (name: string, options: CommonOptions) => {
      await printFindings(cli, await testConnection(await cli.open(), name), options);
    });
}

function addGuide(parent: Command, cli: CliContext): void {
  parent
    .command('guide')
    .description('show what to enter at a provider and here, with the addresses of this installation')
    .argument('<name>', 'name of the connection, which need not exist yet')
    .addArgument(new Argument('<preset>', "the provider's product").choices(presets))
    .addOption(
      new Option('--kind <kind>', 'saml or openid, if the product supports both').choices(['saml', 'openid']),
    )
    .action(async (given: string, preset: Preset, options: CommonOptions & { kind?: 'saml' | 'openid' }) => {
      const { config, database } = await cli.open();
      const name = parseConnectionName(given);
      const known = await connections.find(database, { name });
      const kinds = kindsOf(preset);
      const kind = options.kind ?? kinds.find((one) => one === known?.entry.kind) ?? kinds[0];
      if (kind === undefined || !kinds.includes(kind))
        throw new UsageError(`the guide for ${preset} supports only ${kinds.join(' and ')}`);
      const site = known?.entry.sites[0];
      const lines = writeGuide(preset, kind, { publicUrl: config.publicUrl, name, site });
      await printList(cli, lines, options, { fields: ['where', 'what', 'value'], heading: false });
    });
}

/** Reads the values in files. Other options take precedence. */
async function readFiles(
  cli: CliContext,
  { metadata, certificateFile }: ConnectionOptions,
): Promise<Record<string, unknown>> {
  const described = metadata === undefined ? {} : await describeProvider(cli, metadata);
  if (certificateFile === undefined) return described;
  const texts = await Promise.all(certificateFile.map((file) => readSmallFile(cli, file)));
  if (!texts.some((text) => text.includes('-----BEGIN CERTIFICATE-----')))
    throw new RefusedError([{ column: 'certificates', reason: 'there is no certificate (PEM) in the file' }]);
  return { ...described, certificates: texts };
}

async function describeProvider(cli: CliContext, metadata: string): Promise<Record<string, unknown>> {
  const { clock, config } = await cli.open();
  try {
    if (!/^https?:/i.test(metadata)) {
      const read = readProviderMetadata(await readSmallFile(cli, metadata), clock.now());
      return { ...read, metadataUrl: null };
    }
    const fetch = createOutgoingFetch(config.external);
    return { ...(await fetchMetadata(fetch, metadata, clock.now())), metadataUrl: metadata };
  } catch (error) {
    if (!(error instanceof MetadataRefusal)) throw error;
    throw new RefusedError(error.reasons.map((reason) => ({ column: 'metadata', reason })));
  }
}

function toKeyChange({ decryptionKey }: ConnectionOptions): SecretChange | undefined {
  return decryptionKey && { of: 'saml', to: decryptionKey === 'none' ? null : addDecryptionKey };
}

/**
 * Reads the secret. It is never an argument, because other processes can read arguments. Undefined keeps the stored
 * secret.
 */
async function readSecret(
  cli: CliContext,
  options: ConnectionOptions,
  needsSecret: boolean,
): Promise<SecretChange | undefined> {
  if (options.publicClient === true) return { of: 'openid', to: null };
  if (options.secretStdin === true)
    return { of: 'openid', to: await readPiped(cli, 'secret', clientSecretMaximumLength) };
  if (!needsSecret || options.dryRun === true) return undefined;
  if (!mayAsk(cli, options))
    throw new UsageError('--secret-stdin or --public-client is required without a terminal');
  const typed = await cli.terminal.askSecret('Client secret (empty for a public client)');
  return { of: 'openid', to: typed === '' ? null : typed };
}
