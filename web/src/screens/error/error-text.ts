import type { ErrorPage } from '../../flow/model.ts';
import type { MessageKey } from '../../i18n/keys.ts';

export interface ErrorLine {
  name: string;
  value: string;
}

export interface ErrorText {
  heading: MessageKey;
  subHeading: MessageKey;
  parameters: Readonly<Record<string, string>>;
  /** The additional values from the service. */
  lines: readonly ErrorLine[];
  code: string | undefined;
  description: string | undefined;
}

/** The texts and values of the error page (specification, points 2 and 8: "Error page codes"). */
export function describeError({ record, reason }: Pick<ErrorPage, 'record' | 'reason'>): ErrorText {
  const lines = Object.entries(record?.errorData ?? {}).map(([name, value]) => ({
    name,
    value: asText(value),
  }));
  const valueOf = (name: string): string =>
    lines.find((line) => line.name.toLowerCase() === name.toLowerCase())?.value ?? '';
  const code = record?.error;
  // Support needs the code even if the error has its own text.
  const details = { parameters: {}, lines, code, description: record?.errorDescription };
  if (reason !== undefined)
    return {
      ...details,
      heading: `error.${reason}.heading`,
      subHeading: `error.${reason}.subHeading`,
      parameters: { host: location.host },
    };
  if (code === 'user_login_email_not_found') {
    const parameters = { userName: valueOf('Email Address'), claimName: valueOf('Claim Name') };
    // The sentence needs both values.
    const isComplete = Object.values(parameters).every(Boolean);
    const subHeading = isComplete ? 'error.userNotFound.subHeading' : 'error.subHeading';
    return { ...details, heading: 'error.userNotFound.heading', subHeading, parameters };
  }
  if (code === 'email_claim_not_found')
    return { ...details, heading: 'error.heading', subHeading: 'error.emailClaimNotFound.subHeading' };
  if (code === 'rate_limit_reached')
    return { ...details, heading: 'error.heading', subHeading: 'error.rateLimitReached' };
  return { ...details, heading: 'error.heading', subHeading: 'error.subHeading' };
}

/** Formats a value of any type from the error record. */
function asText(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
}
