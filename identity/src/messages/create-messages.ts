import type { Config } from '../config.ts';
import type { Clock } from '../lib/clock.ts';
import { createCircuitBreaker } from '../lib/circuit-breaker.ts';
import { DeliveryError } from '../lib/delivery-error.ts';
import type { Random } from '../lib/random.ts';
import { noTracing } from '../lib/tracing.ts';
import type { Tracing } from '../lib/tracing.ts';
import type { Database } from '../store/schema.ts';
import { createSmtpMail } from './mail-smtp.ts';
import { gatewayTimeoutMs } from './messages.ts';
import type { Mail, Messages, Sender, Sms } from './messages.ts';
import { createOutboxMail, createOutboxSms } from './outbox-store.ts';
import { createTwilioSms } from './sms-twilio.ts';
import { createWebhookSms } from './sms-webhook.ts';

type Needed = {
  config: Pick<Config, 'messages'>;
  database: Database;
  clock: Clock;
  random: Random;
  /** Watches what becomes of mails at the mail server (`mail-bounces.ts`). */
  noteBounces: (sender: Sender<Mail>) => Sender<Mail>;
  tracing?: Pick<Tracing, 'within'>;
  /** Counts what became of a message at a gateway. */
  count: (kind: 'sms' | 'mail', outcome: 'sent' | DeliveryError['failure'], gateway: Gateway) => void;
};

type Gateway = 'first' | 'fallback';

/** With a fallback, leaving a gateway that loses answers costs nobody a message. */
const failuresToFallBack = 2;
const leftAloneSeconds = 30;

/** The configured ways out, each behind a circuit breaker of its own. */
export function createMessages(dependencies: Needed): Messages {
  const { config, random, tracing = noTracing, count } = dependencies;
  const underWay = new Set<Promise<void>>();

  function guarded<Message>(
    kind: 'sms' | 'mail',
    first: Sender<Message>,
    fallback?: Sender<Message>,
  ): (message: Message & { id?: string }) => Promise<void> {
    const through = (gateway: Gateway, sender: Sender<Message>): Sender<Message>['send'] => {
      const breaker =
        fallback === undefined
          ? createCircuitBreaker()
          : createCircuitBreaker({ failuresToOpen: failuresToFallBack, openSeconds: leftAloneSeconds });
      return async (message, signal) => {
        try {
          await breaker.run(() => sender.send(message, signal));
          count(kind, 'sent', gateway);
        } catch (error) {
          count(kind, error instanceof DeliveryError ? error.failure : 'unavailable', gateway);
          throw error;
        }
      };
    };
    const sendFirst = through('first', first);
    const sendFallback = fallback && through('fallback', fallback);
    const deliver = async (said: Message & { id?: string }): Promise<void> => {
      const message = { ...said, id: said.id ?? random.token(16) };
      // one time-out for both gateways: the visitor waits for the sum
      const signal = AbortSignal.timeout(gatewayTimeoutMs);
      try {
        await sendFirst(message, signal);
      } catch (error) {
        if (sendFallback === undefined || !isCertainlyNotTaken(error)) throw error;
        await sendFallback(message, signal);
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

  const { smsFallback } = config.messages;
  const sendSms = guarded(
    'sms',
    smsSender(dependencies, config.messages.sms),
    smsFallback && smsSender(dependencies, smsFallback),
  );
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

/** A number that the first gateway calls wrong is wrong for the second too. */
function isCertainlyNotTaken(error: unknown): boolean {
  return error instanceof DeliveryError && !error.mayHaveArrived && error.failure !== 'invalid-recipient';
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
      return dependencies.noteBounces(createSmtpMail(settings));
    case 'none':
      return noSender('mail');
  }
}

/** The operator has said that there is no way out for these. */
function noSender(what: string): Sender<unknown> {
  return { send: () => Promise.reject(new DeliveryError('refused', `no sender of ${what} is configured`)) };
}
