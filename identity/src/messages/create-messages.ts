import type { Config } from '../config/config.ts';
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
import { createTwilioSms, createWebhookSms } from './sms-gateways.ts';

type Needed = {
  config: Pick<Config, 'messages'>;
  database: Database;
  clock: Clock;
  random: Random;
  /** Records bounces that the mail server reports (`mail-bounces.ts`). */
  noteBounces: (sender: Sender<Mail>) => Sender<Mail>;
  tracing?: Pick<Tracing, 'within'>;
  /** Counts the outcomes of messages by gateway. */
  count: (kind: 'sms' | 'mail', outcome: 'sent' | DeliveryError['failure'], gateway: Gateway) => void;
};

type Gateway = 'first' | 'fallback';

/** The circuit opens early if there is a fallback, because the fallback then delivers the messages. */
const failuresToFallBack = 2;
const leftAloneSeconds = 30;

/** The configured gateways, each behind its own circuit breaker. */
export function createMessages(dependencies: Needed): Messages {
  const { config, random, tracing = noTracing, count } = dependencies;
  const inFlight = new Set<Promise<void>>();

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
      // Both gateways share one timeout, because the visitor waits for the sum of their times.
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
      inFlight.add(sending);
      try {
        await sending;
      } finally {
        inFlight.delete(sending);
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
    sms: {
      send: sendSms,
      sendLater(sms, log) {
        void sendSms(sms).catch((error: unknown) =>
          log.warn({ err: error }, 'a text message was not delivered'),
        );
      },
    },
    mail: {
      send: sendMail,
      sendLater(mail, log) {
        void sendMail(mail).catch((error: unknown) => log.warn({ err: error }, 'a mail was not delivered'));
      },
    },
    async settle() {
      while (inFlight.size > 0) await Promise.allSettled(inFlight);
    },
  };
}

/** A number that the first gateway rejects as invalid is also invalid at the second. */
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

/** Used if the operator has explicitly configured no gateway. */
function noSender(what: string): Sender<unknown> {
  return { send: () => Promise.reject(new DeliveryError('refused', `no sender of ${what} is configured`)) };
}
