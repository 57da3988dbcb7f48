import type { Transporter } from 'nodemailer';
import { DeliveryError } from '../lib/delivery-error.ts';
import { gatewayTimeoutMs } from './messages.ts';
import type { Mail, Sender } from './messages.ts';

export type SmtpSettings = {
  /** `smtp://` (with STARTTLS if the server supports it) or `smtps://`, including user and password. */
  url: string;
  from: string;
  /** The name of this service for the mail server, which also makes the ids of messages unique. */
  clientName: string;
};

/** Sends mail over SMTP. The timeout applies to each phase and to the whole delivery. */
export function createSmtpMail({ url, from, clientName }: SmtpSettings): Sender<Mail> {
  let transport: Promise<Transporter> | undefined;
  /** Loads the library with the first message, because it would delay the start of the service. */
  async function openTransport(): Promise<Transporter> {
    const { createTransport } = await import('nodemailer');
    return createTransport({
      url,
      name: clientName,
      connectionTimeout: gatewayTimeoutMs,
      greetingTimeout: gatewayTimeoutMs,
      socketTimeout: gatewayTimeoutMs,
      dnsTimeout: gatewayTimeoutMs,
    });
  }
  return {
    async send({ id, to, subject, text, html }) {
      transport ??= openTransport();
      const sending = (await transport).sendMail({
        from,
        to,
        subject,
        text,
        html,
        messageId: `<${id}@${clientName}>`,
        // RFC 3834, 5: out-of-office replies and vacation responders do not answer
        headers: { 'Auto-Submitted': 'auto-generated' },
        // messages never read files or URLs
        disableFileAccess: true,
        disableUrlAccess: true,
      });
      await withinTimeout(sending).catch((error: unknown) => {
        throw toDeliveryError(error);
      });
    },
  };
}

async function withinTimeout<Result>(work: Promise<Result>): Promise<Result> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(
      () => reject(new DeliveryError('unavailable', 'no answer (timeout)', { mayHaveArrived: true })),
      gatewayTimeoutMs,
    );
  });
  try {
    return await Promise.race([work, timeout]);
  } finally {
    clearTimeout(timer);
  }
}

/** Uses only the code and the command of the error, because the server's text repeats the address. */
function toDeliveryError(error: unknown): DeliveryError {
  if (error instanceof DeliveryError) return error;
  const { code = 'unknown', command, responseCode } = describe(error);
  const detail = `SMTP ${code}${command === undefined ? '' : ` at ${command}`}${responseCode === undefined ? '' : `, ${responseCode}`}`;
  // 5yz replies are permanent (RFC 5321, 4.2.1)
  const isPermanent = responseCode !== undefined && responseCode >= 500;
  if (isPermanent) return new DeliveryError(command === 'RCPT TO' ? 'invalid-recipient' : 'refused', detail);
  return new DeliveryError('unavailable', detail, { mayHaveArrived: command === 'DATA' });
}

function describe(error: unknown): { code?: string; command?: string; responseCode?: number } {
  if (typeof error !== 'object' || error === null) return {};
  return {
    ...('code' in error && typeof error.code === 'string' && { code: error.code }),
    ...('command' in error && typeof error.command === 'string' && { command: error.command }),
    ...('responseCode' in error &&
      typeof error.responseCode === 'number' && { responseCode: error.responseCode }),
  };
}
