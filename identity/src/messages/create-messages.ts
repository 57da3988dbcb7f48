import type { Config } from '../config.ts';
import type { Clock } from '../lib/clock.ts';
import { createCircuitBreaker } from '../lib/circuit-breaker.ts';
import { DeliveryError } from '../lib/delivery-error.ts';
import type { Random } from '../lib/random.ts';
import { noTracing } from '../lib/tracing.ts';
import type { Tracing } from '../lib/tracing.ts';
import type { Database } from '../store/schema.ts';

import { createSmtpMail } from './mail-smtp.ts';
import type { Mail, Messages, Sender, Sms } from './messages.ts';
import { createOutboxMail, createOutboxSms } from './outbox-store.ts';
import { createTwilioSms } from './sms-twilio.ts';
import { createWebhookSms } from './sms-webhook.ts';

type Needed = {
  config: Pick<Config, 'messages'>;
  database: Database;
  clock: Clock;
  random: Random;
  tracing?: Pick<Tracing, 'within'>;
  /** Counts what became of a message. */
  count: (kind: 'sms' | 'mail', outcome: 'sent' | DeliveryError['failure']) => void;
};

/** The configured ways out, each behind a circuit breaker of its own. */
export function createMessages(dependencies: Needed): Messages {
  const { config, random, tracing = noTracing, count } = dependencies;
  const underWay = new Set<Promise<void>>();

  function guarded<Message>(
    kind: 'sms' | 'mail',
    sender: Sender<Message>,
  ): (message: Message & { id?: string }) => Promise<void> {
    const breaker = createCircuitBreaker();
    const deliver = async (message: Message & { id?: string }): Promise<void> => {
      try {
        await breaker.run(() => sender.send({ ...message, id: message.id ?? random.token(16) }));
        count(kind, 'sent');
      } catch (error) {
        count(kind, error instanceof DeliveryError ? error.failure : 'unavailable');
        throw error;
      }
    };
    return async (message) => {
      const sending = tracing.within(`send ${kind}`, { 'messaging.system': kind }, () => deliver(message));
      underWay.add(sending);
      try {
        await sending;
      } finally {
        underWay.delete(sending);
      }
    };
  }

  const sendSms = guarded('sms', smsSender(dependencies, config.messages.sms));
  const sendMail = guarded('mail', mailSender(dependencies, config.messages.mail));
  return {
    sms: { send: sendSms },
    mail: {
      send: sendMail,
      sendLater(mail, log) {
        void sendMail(mail).catch((error: unknown) => log.warn({ err: error }, 'a mail was not delivered'));
      },
    },
    async settle() {
      while (underWay.size > 0) await Promise.allSettled(underWay);
    },
  };
}

function smsSender(dependencies: Needed, settings: Config['messages']['sms']): Sender<Sms> {
  switch (settings.kind) {
    case 'outbox':
      return createOutboxSms(dependencies);
    case 'webhook':
      return createWebhookSms(settings);
    case 'twilio':
      return createTwilioSms(settings);
    case 'none':
      return noSender('text messages');
  }
}

function mailSender(dependencies: Needed, settings: Config['messages']['mail']): Sender<Mail> {
  switch (settings.kind) {
    case 'outbox':
      return createOutboxMail(dependencies);
    case 'smtp':
      return createSmtpMail(settings);
    case 'none':
      return noSender('mail');
  }
}

/** The operator has said that there is no way out for these. */
function noSender(what: string): Sender<unknown> {
  return { send: () => Promise.reject(new DeliveryError('refused', `no sender of ${what} is configured`)) };
}
