import * as v from 'valibot';
import type { Config } from '../../config.ts';
import { openidSettings, samlSettings } from '../../enterprise/connection.ts';
import { parseCertificates } from '../../enterprise/saml/certificates.ts';
import { SamlRefusal } from '../../enterprise/saml/refusal.ts';
import type { ConnectionEntry } from './connection-entry.ts';

type Fault = { column: string; reason: string };

/** The settings as the table keeps them: those of the entry's kind. */
export function toSettings(entry: Required<ConnectionEntry>): Record<string, unknown> {
  const { entries } = entry.kind === 'saml' ? samlSettings : openidSettings;
  return Object.fromEntries(
    Object.entries(entry).filter(([field, value]) => field in entries && value !== null),
  );
}

/** What the service could not work with, by the field that an operator knows. */
export function findFaultsOfConnection(
  entry: Required<ConnectionEntry>,
  { production }: Pick<Config, 'production'>,
): Fault[] {
  const schema = entry.kind === 'saml' ? samlSettings : openidSettings;
  const parsed = v.safeParse(schema, toSettings(entry));
  const faults: Fault[] = (parsed.issues ?? []).map((issue) => {
    const column = v.getDotPath(issue)?.split('.')[0] ?? 'kind';
    return {
      column,
      reason:
        column === 'certificates' && (entry.certificates ?? []).length === 0
          ? 'are needed: --certificate-file or --metadata'
          : issue.message,
    };
  });
  if (entry.kind === 'saml' && faults.length === 0)
    faults.push(...findFaultsOfCertificates(entry.certificates ?? []));
  for (const column of ['issuer', 'entryPoint', 'logoutUrl'] as const) {
    const isAddress = column !== 'issuer' || entry.kind === 'openid';
    if (production && isAddress && /^http:/i.test(entry[column] ?? ''))
      faults.push({ column, reason: 'must begin with https:// in production' });
  }
  return faults;
}

function findFaultsOfCertificates(certificates: readonly string[]): Fault[] {
  try {
    parseCertificates(certificates);
    return [];
  } catch (error) {
    const said = error instanceof SamlRefusal ? error.message : 'cannot be read';
    return [{ column: 'certificates', reason: said }];
  }
}
