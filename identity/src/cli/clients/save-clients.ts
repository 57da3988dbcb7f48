import { secureRandom } from '../../lib/random.ts';
import { fingerprint } from '../../openid/fingerprint.ts';
import type { DatabaseTransaction } from '../../store/schema.ts';
import type { Outcome, PlanOptions, Row, WriteOptions } from '../noun.ts';
import { planEntries } from '../plan-entries.ts';
import type { EntryToWrite } from '../plan-entries.ts';
import type { ClientEntry } from './client-entry.ts';
import { hasSecret, toMetadata } from './client-metadata.ts';
import { findClientsById } from './present-clients.ts';
import type { PresentClient } from './present-clients.ts';

export type ClientsPlan = { outcome: Outcome; entries: EntryToWrite<ClientEntry, PresentClient>[] };

/** Secrets that were made, by client id: shown once, kept as a fingerprint. */
export type ClientsPrepared = { secrets: Map<string, string> };

/** The registration as the service would take it; why not. */
export type FindFaults = (
  entry: Required<ClientEntry>,
  metadata: Record<string, unknown>,
) => { column: string; reason: string }[];

/** A new application of which no more than its id is said. */
export const newClient: Required<ClientEntry> = {
  id: '',
  displayName: '',
  redirectUris: [],
  postLogoutRedirectUris: [],
  authentication: 'client_secret_basic',
  jwksUri: null,
  offlineAccess: false,
  pkceOptional: false,
  idTokenProfile: false,
  homeUri: null,
  cancelUri: null,
  initiateLoginUri: null,
  backChannelLogoutUri: null,
  frontChannelLogoutUri: null,
  adaptiveSecondFactor: true,
  skipSplash: false,
  languageSelectionAndLinksDisabled: false,
  publicComputerSignInDisabled: false,
  signInCredentialsRecoveryDisabled: false,
  nestedUIEliminated: false,
  productName: null,
  logoUrl: null,
  accentColour: null,
};

/** Stands for a secret that is still to be made, so that a registration can be looked at whole. */
const anyFingerprint = fingerprint('');

export function planClients(findFaults: FindFaults) {
  return async (
    transaction: DatabaseTransaction,
    rows: readonly Row<ClientEntry>[],
    options: PlanOptions,
  ): Promise<ClientsPlan> => {
    const present = await findClientsById(
      transaction,
      rows.map(({ entry }) => entry.id),
    );
    const description = {
      singular: 'client',
      key: 'id',
      blank: newClient,
      needed: ['displayName', 'redirectUris'],
    } as const;
    return planEntries(
      rows,
      description,
      present,
      (entry) => {
        const known = present.get(entry.id)?.row.metadata ?? {};
        return findFaults(entry, toMetadata(entry, known, anyFingerprint));
      },
      options,
    );
  };
}

export async function writeClients(
  transaction: DatabaseTransaction,
  { entries }: ClientsPlan,
  { secrets }: ClientsPrepared,
  { now, onWritten }: WriteOptions,
): Promise<void> {
  for (const { present, entry } of entries) {
    const known = present?.row.metadata ?? {};
    const hadSecret =
      typeof known['client_secret'] === 'string' && present !== undefined && hasSecret(present.entry);
    if (hasSecret(entry) && !hadSecret) secrets.set(entry.id, secureRandom.token());
    const made = secrets.get(entry.id);
    const kept = hadSecret ? String(known['client_secret']) : undefined;
    const row = {
      display_name: entry.displayName ?? '',
      cancel_uri: entry.cancelUri,
      home_uri: entry.homeUri,
      adaptive_second_factor: entry.adaptiveSecondFactor ?? true,
      customizations: JSON.stringify({
        languageSelectionAndLinksDisabled: entry.languageSelectionAndLinksDisabled,
        publicComputerSignInDisabled: entry.publicComputerSignInDisabled,
        signInCredentialsRecoveryDisabled: entry.signInCredentialsRecoveryDisabled,
        nestedUIEliminated: entry.nestedUIEliminated,
      }),
      metadata: JSON.stringify(toMetadata(entry, known, made === undefined ? kept : fingerprint(made))),
    };
    await transaction
      .insertInto('clients')
      .values({ id: entry.id, ...row, created_at: now })
      .onConflict((conflict) => conflict.column('id').doUpdateSet(row))
      .execute();
    await onWritten(1);
  }
}
