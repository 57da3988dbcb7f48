import type { Log } from '../lib/log.ts';

/** A text message; `to` is a number in E.164. */
export type Sms = { to: string; text: string };

/** An e-mail; `text` is also the complete content if `html` is absent. */
export type Mail = { to: string; subject: string; text: string; html?: string };

/** A gateway. `id` is unique for each message, so that the gateway can detect a repetition. */
export type Sender<Message> = {
  /** @throws DeliveryError at the latest after `gatewayTimeoutMs`, or when `signal` aborts */
  send: (message: Message & { id: string }, signal?: AbortSignal) => Promise<void>;
};

/**
 * Outgoing messages. A message that a gateway may have accepted is never repeated here: the user decides whether to
 * request it again (attacks and faults, F08). The fallback gateway gets only messages that the primary certainly has
 * not accepted. Messages that no user would request again are notices (`notices.ts`).
 */
export type Messages = {
  sms: {
    /** @throws DeliveryError at the latest after `gatewayTimeoutMs` */
    send: (sms: Sms) => Promise<void>;
    /** Sends in the background: failures are only logged. */
    sendLater: (sms: Sms, log: Log) => void;
  };
  mail: {
    /**
     * With the `id` of the previous attempt, the server can detect a repetition.
     * @throws DeliveryError at the latest after `gatewayTimeoutMs`
     */
    send: (mail: Mail & { id?: string }) => Promise<void>;
    /** Sends in the background, so that response times reveal nothing (S27): failures are only logged. */
    sendLater: (mail: Mail, log: Log) => void;
  };
  /** Resolves when no message is in flight, for shutdown. */
  settle: () => Promise<void>;
};

/** The maximum time to wait for a gateway. */
export const gatewayTimeoutMs = 3000;
