import type { ErrorPage } from '../../flow/model.ts';
import type { MessageKey } from '../../i18n/keys.ts';

export interface ErrorLine {
  name: string;
  value: string;
}

export interface ErrorText {
  heading: MessageKey;
  /** Undefined if the notification says it. */
  subHeading: MessageKey | undefined;
  /** A second sentence, for the IT department. */
  note?: MessageKey;
  parameters: Readonly<Record<string, string>>;
  /** The additional values from the service. */
  lines: readonly ErrorLine[];
  code: string | undefined;
  description: string | undefined;
  /** Only the board office can help: starting again leads back here. */
  asksOthers?: boolean;
}

/** The texts and values of the error page (specification, points 2 and 8: "Error page codes"). */
export function describeError({ record, reason }: Pick<ErrorPage, 'record' | 'reason'>): ErrorText {
  const lines = Object.entries(record?.errorData ?? {}).map(([name, value]) => ({
    name,
    value: asText(value),
  }));
  const valueOf = (lowerCaseName: string): string =>
    lines.find(({ name }) => name.toLowerCase() === lowerCaseName)?.value ?? '';
  const code = record?.error;
  // Support needs the code even if the error has its own text.
  const text: ErrorText = {
    heading: 'error.heading',
    subHeading: 'error.subHeading',
    parameters: { host: location.host },
    lines,
    code,
    description: record?.errorDescription,
  };
  if (reason !== undefined)
    return {
      ...text,
      heading: `error.${reason}.heading`,
      subHeading: reason === 'unreachable' ? undefined : `error.${reason}.subHeading`,
    };
  if (code === 'user_login_email_not_found') {
    const [userName, claimName] = [valueOf('email address'), valueOf('claim name')];
    // The sentences need both values.
    const known = userName && claimName;
    return {
      ...text,
      heading: 'error.userNotFound.heading',
      ...(known && { subHeading: 'error.userNotFound.subHeading', note: 'error.userNotFound.claim' }),
      parameters: { userName, claimName },
      asksOthers: true,
    };
  }
  if (code === 'email_claim_not_found')
    return { ...text, subHeading: 'error.emailClaimNotFound.subHeading', asksOthers: true };
  if (code === 'rate_limit_reached') return { ...text, subHeading: 'error.rateLimitReached' };
  return text;
}

/** Formats a value of any type from the error record. */
function asText(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
}
