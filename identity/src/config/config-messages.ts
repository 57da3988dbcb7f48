import { resendWaitSeconds } from '@anteroom/contract';
import { refuse, refusePlainHttp } from './config-rules.ts';
import type { Environment } from './environment.ts';

type SmsGateway =
  | { kind: 'webhook'; url: string; token: string | undefined }
  | { kind: 'twilio'; baseUrl: string; accountSid: string; authToken: string; from: string };

/** Where messages go. */
export type MessageSettings = {
  sms: { kind: 'outbox' | 'none' } | SmsGateway;
  /** Gets each text message that the first gateway certainly did not accept. */
  smsFallback?: SmsGateway | undefined;
  mail: { kind: 'outbox' | 'none' } | { kind: 'smtp'; url: string; from: string; clientName: string };
  /** The IANA time zone in which mails state times. */
  timeZone: string;
};

/** Limits on the number of messages with one-time codes that the service sends. */
export type CodeLimits = {
  /** The wait between two messages to one user. */
  resendWaitSeconds: number;
  perTenMinutes: number;
  /** For one user, and for one phone number. */
  perDay: number;
  /** For one range of phone numbers. Attackers who earn from each message (SMS pumping) use a range of numbers. */
  perHourAndRange: number;
  perHour: number;
  /** Phone numbers must begin with one of these; empty: no restriction. */
  numberPrefixes: string[];
};

/** Attacks and faults, G9. */
const limitsOfUser = { resendWaitSeconds, perTenMinutes: 5, perDay: 10 };
const noLimits = { resendWaitSeconds: 0, perTenMinutes: 1_000_000, perDay: 1_000_000 };

export function toCodeLimits(env: Environment): CodeLimits {
  return {
    ...(env.CODE_LIMITS === 'on' ? limitsOfUser : noLimits),
    perHourAndRange: Math.ceil(env.EXPECTED_USERS_PER_HOUR / 20),
    // assumes that one user in four requests a second code
    perHour: Math.ceil(env.EXPECTED_USERS_PER_HOUR * 1.25),
    numberPrefixes: env.CODE_NUMBER_PREFIXES,
  };
}

export function toMessageSettings(env: Environment, publicUrl: string): MessageSettings {
  const kinds = kindsOf(env);
  return {
    sms: kinds.sms === 'outbox' || kinds.sms === 'none' ? { kind: kinds.sms } : toGateway(kinds.sms, env),
    smsFallback: env.SMS_FALLBACK_SENDER && toFallback(env.SMS_FALLBACK_SENDER, env),
    mail: toMail(kinds.mail, env, publicUrl),
    timeZone: env.MAIL_TIME_ZONE,
  };
}

/** Outside production, messages go to the outbox unless a sender is configured. */
function kindsOf(env: Environment): {
  sms: MessageSettings['sms']['kind'];
  mail: MessageSettings['mail']['kind'];
} {
  const outbox = env.OUTBOX ?? env.NODE_ENV !== 'production';
  const otherwise = outbox ? 'outbox' : 'none';
  return { sms: env.SMS_SENDER ?? otherwise, mail: env.MAIL_SENDER ?? otherwise };
}

function toGateway(kind: SmsGateway['kind'], env: Environment): SmsGateway {
  if (kind === 'webhook') return { kind, url: env.SMS_WEBHOOK_URL ?? '', token: env.SMS_WEBHOOK_TOKEN };
  return {
    kind,
    baseUrl: env.TWILIO_BASE_URL,
    accountSid: env.TWILIO_ACCOUNT_SID ?? '',
    authToken: env.TWILIO_AUTH_TOKEN ?? '',
    from: env.TWILIO_FROM ?? '',
  };
}

function toFallback(kind: SmsGateway['kind'], env: Environment): SmsGateway {
  return kind === 'webhook'
    ? { kind, url: env.SMS_FALLBACK_WEBHOOK_URL ?? '', token: env.SMS_FALLBACK_WEBHOOK_TOKEN }
    : toGateway(kind, env);
}

function toMail(
  kind: MessageSettings['mail']['kind'],
  env: Environment,
  publicUrl: string,
): MessageSettings['mail'] {
  return kind === 'smtp'
    ? {
        kind,
        url: env.SMTP_URL ?? '',
        from: env.MAIL_FROM ?? 'Anteroom <no-reply@localhost>',
        clientName: new URL(publicUrl).hostname,
      }
    : { kind };
}

/** The settings that each sender requires. */
const needs = {
  webhook: ['SMS_WEBHOOK_URL'],
  twilio: ['TWILIO_ACCOUNT_SID', 'TWILIO_AUTH_TOKEN', 'TWILIO_FROM'],
  smtp: ['SMTP_URL'],
} as const;

export function problemsOfMessages(env: Environment): string[] {
  const kinds = kindsOf(env);
  const problems = [kinds.sms, kinds.mail].flatMap((kind) =>
    kind === 'outbox' || kind === 'none'
      ? []
      : needs[kind]
          .filter((name) => env[name] === undefined)
          .map((name) => `${name}: must be set for the sender ${kind}`),
  );
  problems.push(...problemsOfFallback(env));
  return env.NODE_ENV === 'production' ? [...problems, ...problemsInProduction(env)] : problems;
}

function problemsOfFallback(env: Environment): string[] {
  const kind = env.SMS_FALLBACK_SENDER;
  if (kind === undefined) return [];
  if (env.SMS_SENDER !== 'webhook' && env.SMS_SENDER !== 'twilio')
    return ['SMS_FALLBACK_SENDER: needs SMS_SENDER=webhook or SMS_SENDER=twilio as the first gateway'];
  if (kind === 'twilio' && env.SMS_SENDER === 'twilio')
    return ['SMS_FALLBACK_SENDER: must be webhook where SMS_SENDER is twilio'];
  const needed = kind === 'webhook' ? (['SMS_FALLBACK_WEBHOOK_URL'] as const) : needs.twilio;
  return needed
    .filter((name) => env[name] === undefined)
    .map((name) => `${name}: must be set for SMS_FALLBACK_SENDER=${kind}`);
}

function problemsInProduction(env: Environment): string[] {
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
    ...(env.SMS_SENDER === 'webhook' ? refusePlainHttp('SMS_WEBHOOK_URL', env.SMS_WEBHOOK_URL) : []),
    ...(env.SMS_FALLBACK_SENDER === 'webhook'
      ? refusePlainHttp('SMS_FALLBACK_WEBHOOK_URL', env.SMS_FALLBACK_WEBHOOK_URL)
      : []),
    ...([env.SMS_SENDER, env.SMS_FALLBACK_SENDER].includes('twilio')
      ? refusePlainHttp('TWILIO_BASE_URL', env.TWILIO_BASE_URL)
      : []),
    ...refuse(env.CODE_LIMITS === 'off', 'CODE_LIMITS: must not be off in production'),
  ];
}
