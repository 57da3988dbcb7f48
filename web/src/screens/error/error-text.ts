import type { ErrorPage } from '../../flow/model.ts';
import type { MessageKey } from '../../i18n/keys.ts';
import type { MessageParameters } from '../../i18n/translator.ts';

export interface ErrorLine {
  name: string;
  value: string;
}

export interface ErrorText {
  heading: MessageKey;
  subHeading: MessageKey;
  parameters: MessageParameters;
  /** Beyond correlation id and time: what the service adds. */
  lines: readonly ErrorLine[];
  code: string | undefined;
  description: string | undefined;
}

/** What the error page says of an error (specification, points 2 and 8: "Error page codes"). */
export function describeError({ record, reason }: Pick<ErrorPage, 'record' | 'reason'>): ErrorText {
  const lines = Object.entries(record?.errorData ?? {}).map(([name, value]) => ({
    name,
    value: asText(value),
  }));
  const valueOf = (name: string): string =>
    lines.find((line) => line.name.toLowerCase() === name.toLowerCase())?.value ?? '';
  const code = record?.error;
  // support wants the code of an error that has words of its own, too
  const told = { parameters: {}, lines, code, description: record?.errorDescription };
  if (reason !== undefined)
    return {
      ...told,
      heading: `error.${reason}.heading`,
      subHeading: `error.${reason}.subHeading`,
      parameters: { host: location.host },
    };
  if (code === 'user_login_email_not_found') {
    const parameters = { userName: valueOf('Email Address'), claimName: valueOf('Claim Name') };
    // without both lines its sentence would have holes
    const isWhole = Object.values(parameters).every(Boolean);
    const subHeading = isWhole ? 'error.userNotFound.subHeading' : 'error.subHeading';
    return { ...told, heading: 'error.userNotFound.heading', subHeading, parameters };
  }
  if (code === 'email_claim_not_found')
    return { ...told, heading: 'error.heading', subHeading: 'error.emailClaimNotFound.subHeading' };
  if (code === 'rate_limit_reached')
    return { ...told, heading: 'error.heading', subHeading: 'error.rateLimitReached' };
  return { ...told, heading: 'error.heading', subHeading: 'error.subHeading' };
}

/** A value that a service put into the record, whatever it is, as text. */
function asText(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
}
