import { Argument, Option } from 'commander';
import type { Command } from 'commander';
import { kindsOf, presets, writeGuide } from '../admin/connection-guides.ts';
import type { Preset } from '../admin/connection-guides.ts';
import { testConnection } from '../admin/connection-test.ts';
import { connections, createConnections, parseConnectionName } from '../admin/connections.ts';
import type { SecretChange } from '../admin/connections.ts';
import { RefusedError } from '../admin/problems.ts';
import { createOutgoingFetch } from '../enterprise/openid/outgoing.ts';
import { addDecryptionKey } from '../enterprise/saml/decryption-keys.ts';
import {
  MetadataRefusal,
  fetchMetadata,
  readProviderMetadata,
} from '../enterprise/saml/provider-metadata.ts';
import { printFindings, printList } from './output.ts';
import { addResourceCommands } from './resource-commands.ts';
import { completeEntry } from './save-commands.ts';
import type { SaveOptions } from './save-commands.ts';
import { UsageError } from './usage-errors.ts';
import { mayAsk, readPiped, readSmallFile } from './world.ts';
import type { CommonOptions, World } from './world.ts';

type ConnectionOptions = SaveOptions & {
  metadata?: string;
  certificateFile?: string[];
  secretStdin?: boolean;
  publicClient?: boolean;
  decryptionKey?: 'new' | 'none';
};

/** Longer than any provider's. */
const longestSecret = 4096;

export function addConnectionCommands(parent: Command, world: World): void {
  addResourceCommands(parent, world, connections, {
    withOptions: (command) =>
      command
        .option(
          '--metadata <file or address>',
          "SAML: the provider's metadata, with issuer, addresses and certificates; an address is read again once a day",
        )
        .option('--certificate-file <file...>', 'SAML: signing certificates as PEM, two during a rotation')
        .addOption(
          new Option(
            '--decryption-key <change>',
            "SAML: 'new' publishes a key that the provider may encrypt assertions with, and keeps the previous one for decryption; 'none' refuses encrypted assertions",
          ).choices(['new', 'none']),
        )
        .option('--secret-stdin', "OpenID: the client's secret is on standard input")
        .option('--public-client', 'OpenID: there is no secret'),
    async prepareOne(_world, values, options: ConnectionOptions) {
      const read = await readFiles(world, options);
      const entry = await completeEntry(world, connections, { ...values, ...read }, options);
      const { database } = await world.open();
      const known = await connections.find(database, entry);
      const kind = entry['kind'] ?? known?.entry.kind;
      if (kind !== 'openid' && (options.secretStdin === true || options.publicClient === true))
        throw new UsageError('a secret belongs to an OpenID connection');
      if (kind !== 'saml' && options.decryptionKey !== undefined)
        throw new UsageError('a decryption key belongs to a SAML connection');
      if (kind === 'saml') return { entry, resource: createConnections(toKeyChange(options)) };
      const needsSecret = known === undefined && entry['tokenAuthentication'] !== 'private_key_jwt';
      const secret = kind === 'openid' ? await readSecret(world, options, needsSecret) : undefined;
      return { entry, resource: createConnections(secret) };
    },
  });
  addGuide(parent, world);
  parent
    .command('test')
    .description('check it as a sign-in would use it, and show what the other side has to register')
    .argument('<name>', connections.fields['name']?.help)
    .action(async (name: string, options: CommonOptions) => {
      const context = await world.open();
      const { row } = await connections.require(context.database, { name });
      await printFindings(world, await testConnection(context, row.id), options);
    });
}

function addGuide(parent: Command, world: World): void {
  parent
    .command('guide')
    .description('show what to enter at a provider and here, with the addresses of this installation')
    .argument('<name>', 'of the connection, which need not exist yet')
    .addArgument(new Argument('<preset>', 'the product of the provider').choices(presets))
    .addOption(
      new Option('--kind <kind>', 'saml or openid, where the product has both').choices(['saml', 'openid']),
    )
    .action(async (given: string, preset: Preset, options: CommonOptions & { kind?: 'saml' | 'openid' }) => {
      const { config, database } = await world.open();
      const name = parseConnectionName(given);
      const known = await connections.find(database, { name });
      const kinds = kindsOf(preset);
      const kind = options.kind ?? kinds.find((one) => one === known?.entry.kind) ?? kinds[0];
      if (kind === undefined || !kinds.includes(kind))
        throw new UsageError(`there is a guide of ${preset} for ${kinds.join(' and ')} alone`);
      const site = known?.entry.sites[0];
      const lines = writeGuide(preset, kind, { publicUrl: config.publicUrl, name, site });
      await printList(world, lines, options, { fields: ['where', 'what', 'value'], heading: false });
    });
}

/** The values of files; an option of its own takes precedence. */
async function readFiles(
  world: World,
  { metadata, certificateFile }: ConnectionOptions,
): Promise<Record<string, unknown>> {
  const described = metadata === undefined ? {} : await describeProvider(world, metadata);
  if (certificateFile === undefined) return described;
  const texts = await Promise.all(certificateFile.map((file) => readSmallFile(world, file)));
  const certificates = texts.flatMap(
    (text) => text.match(/-----BEGIN CERTIFICATE-----[\s\S]*?-----END CERTIFICATE-----/g) ?? [],
  );
  if (certificates.length === 0)
    throw new RefusedError([{ column: 'certificates', reason: 'there is no certificate (PEM) in the file' }]);
  return { ...described, certificates };
}

async function describeProvider(world: World, metadata: string): Promise<Record<string, unknown>> {
  const { clock, config } = await world.open();
  try {
    if (!/^https?:/i.test(metadata)) {
      const read = readProviderMetadata(await readSmallFile(world, metadata), clock.now());
      return { ...read, metadataUrl: null };
    }
    const fetch = createOutgoingFetch(config.external);
    return { ...(await fetchMetadata(fetch, metadata, clock.now())), metadataUrl: metadata };
  } catch (error) {
    if (!(error instanceof MetadataRefusal)) throw error;
    throw new RefusedError(error.reasons.map((reason) => ({ column: 'metadata', reason })));
  }
}

function toKeyChange({ decryptionKey }: ConnectionOptions): SecretChange {
  if (decryptionKey === undefined) return undefined;
  return decryptionKey === 'none' ? null : addDecryptionKey;
}

/** Never an argument, which every process of the machine can read. Undefined leaves what is stored. */
async function readSecret(
  world: World,
  options: ConnectionOptions,
  needsSecret: boolean,
): Promise<string | null | undefined> {
  if (options.publicClient === true) return null;
  if (options.secretStdin === true) {
    const secret = await readPiped(world, longestSecret);
    if (secret === '') throw new RefusedError([{ column: 'secret', reason: 'standard input is empty' }]);
    return secret;
  }
  if (!needsSecret || options.dryRun === true) return undefined;
  if (!mayAsk(world, options))
    throw new UsageError('--secret-stdin or --public-client is needed where nobody can type the secret');
  const typed = await world.terminal.askSecret('Client secret (empty for a public client)');
  return typed === '' ? null : typed;
}
