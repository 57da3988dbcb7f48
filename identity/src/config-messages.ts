import type { Environment } from './environment.ts';

/** Where messages go. */
export type MessageSettings = {
  sms:
    | { kind: 'outbox' | 'none' }
    | { kind: 'webhook'; url: string; token: string | undefined }
    | { kind: 'twilio'; baseUrl: string; accountSid: string; authToken: string; from: string };
  mail: { kind: 'outbox' | 'none' } | { kind: 'smtp'; url: string; from: string };
  /** IANA name of the zone in which mails give times. */
  timeZone: string;
};

/** How many messages with a code leave. */
export type CodeFigures = {
  /** Between two messages to one person. */
  resendWaitSeconds: number;
  perTenMinutes: number;
  /** For one person, and for one number. */
  perDay: number;
  /** For all numbers that begin alike: somebody who earns by the message has a range of them. */
  perHourAndRange: number;
  perHour: number;
  /** Numbers must begin with one of these; empty: with anything. */
  numberPrefixes: string[];
};

export function toCodeFigures(env: Environment): CodeFigures {
  return {
    resendWaitSeconds: env.CODE_RESEND_WAIT_SECONDS,
    perTenMinutes: env.CODES_PER_TEN_MINUTES,
    perDay: env.CODES_PER_DAY,
    perHourAndRange: env.CODES_PER_HOUR_AND_RANGE,
    perHour: env.CODES_PER_HOUR,
    numberPrefixes: env.CODE_NUMBER_PREFIXES,
  };
}

export function toMessageSettings(env: Environment): MessageSettings {
  const kinds = kindsOf(env);
  return { sms: toSms(kinds.sms, env), mail: toMail(kinds.mail, env), timeZone: env.MAIL_TIME_ZONE };
}

/** Outside production messages stay in the outbox unless something else is said. */
function kindsOf(env: Environment): {
  sms: MessageSettings['sms']['kind'];
  mail: MessageSettings['mail']['kind'];
} {
  const outbox = env.OUTBOX ?? env.NODE_ENV !== 'production';
  const otherwise = outbox ? 'outbox' : 'none';
  return { sms: env.SMS_SENDER ?? otherwise, mail: env.MAIL_SENDER ?? otherwise };
}

function toSms(kind: MessageSettings['sms']['kind'], env: Environment): MessageSettings['sms'] {
  switch (kind) {
    case 'webhook':
      return { kind, url: env.SMS_WEBHOOK_URL ?? '', token: env.SMS_WEBHOOK_TOKEN };
    case 'twilio':
      return {
        kind,
        baseUrl: env.TWILIO_BASE_URL,
        accountSid: env.TWILIO_ACCOUNT_SID ?? '',
        authToken: env.TWILIO_AUTH_TOKEN ?? '',
        from: env.TWILIO_FROM ?? '',
      };
    case 'outbox':
    case 'none':
      return { kind };
  }
}

function toMail(kind: MessageSettings['mail']['kind'], env: Environment): MessageSettings['mail'] {
  return kind === 'smtp'
    ? { kind, url: env.SMTP_URL ?? '', from: env.MAIL_FROM ?? 'Anteroom <no-reply@localhost>' }
    : { kind };
}

/** What each sender cannot be without. */
const needs = {
  webhook: ['SMS_WEBHOOK_URL'],
  twilio: ['TWILIO_ACCOUNT_SID', 'TWILIO_AUTH_TOKEN', 'TWILIO_FROM'],
  smtp: ['SMTP_URL'],
} as const;

/** The bar (attacks and faults, G9); outside production a journey may need more than a person. */
const codeBar = { resendWaitSeconds: 30, perTenMinutes: 5, perDay: 10 };

export function problemsOfMessages(env: Environment): string[] {
  const kinds = kindsOf(env);
  const problems = [kinds.sms, kinds.mail].flatMap((kind) =>
    kind === 'outbox' || kind === 'none'
      ? []
      : needs[kind]
          .filter((name) => env[name] === undefined)
          .map((name) => `${name}: must be set for the sender ${kind}`),
  );
  return env.NODE_ENV === 'production' ? [...problems, ...problemsInProduction(env)] : problems;
}

function problemsInProduction(env: Environment): string[] {
  const figures = toCodeFigures(env);
  const refuse = (wrong: boolean, problem: string): string[] => (wrong ? [problem] : []);
  const hasCredentialsInTheClear = (address: string | undefined): boolean =>
    address?.startsWith('http:') === true;
  return [
    ...refuse(
      env.SMS_SENDER === undefined || env.SMS_SENDER === 'outbox',
      'SMS_SENDER: must be webhook, twilio or none in production',
    ),
    ...refuse(
      env.MAIL_SENDER === undefined || env.MAIL_SENDER === 'outbox',
      'MAIL_SENDER: must be smtp or none in production',
    ),
    ...refuse(
      env.MAIL_SENDER === 'smtp' && env.MAIL_FROM === undefined,
      'MAIL_FROM: must be set in production',
    ),
    ...refuse(
      env.SMS_SENDER === 'webhook' && hasCredentialsInTheClear(env.SMS_WEBHOOK_URL),
      'SMS_WEBHOOK_URL: must begin with https:// in production',
    ),
    ...refuse(
      env.SMS_SENDER === 'twilio' && hasCredentialsInTheClear(env.TWILIO_BASE_URL),
      'TWILIO_BASE_URL: must begin with https:// in production',
    ),
    ...refuse(
      figures.resendWaitSeconds < codeBar.resendWaitSeconds ||
        figures.perTenMinutes > codeBar.perTenMinutes ||
        figures.perDay > codeBar.perDay,
      'CODE_RESEND_WAIT_SECONDS, CODES_PER_TEN_MINUTES, CODES_PER_DAY: weaker than 30, 5 and 10 is refused in production',
    ),
  ];
}
