import type { Log } from '../lib/log.ts';

/** A text message: `to` is a number in E.164. */
export type Sms = { to: string; text: string };

/** A mail; `text` stands for itself where `html` is not wanted. */
export type Mail = { to: string; subject: string; text: string; html?: string };

/** A way out of the house. `id` is new for every message, so that a gateway can tell a repetition. */
export type Sender<Message> = {
  /** @throws DeliveryError at the latest after `gatewayTimeoutMs`, or when `signal` aborts. */
  send: (message: Message & { id: string }, signal?: AbortSignal) => Promise<void>;
};

/**
 * What leaves the service. A message that a gateway may have taken is never repeated here: whether it is wanted again is for
 * the person to say (attacks and faults, F08). The second gateway gets what the first certainly did not take. What nobody would ask for again is a notice (`create-notices.ts`).
 */
export type Messages = {
  sms: {
    /** @throws DeliveryError at the latest after `gatewayTimeoutMs`. */
    send: (sms: Sms) => Promise<void>;
  };
  mail: {
    /** `id`: that of the time before, so that a repetition can be told. @throws DeliveryError at the latest after `gatewayTimeoutMs`. */
    send: (mail: Mail & { id?: string }) => Promise<void>;
    /** For what nobody waits for, and what must not show in an answer's time (S27): failures go to `log` alone. */
    sendLater: (mail: Mail, log: Log) => void;
  };
  /** Resolves once nothing is under way any more: for a process that stops. */
  settle: () => Promise<void>;
};

/** A slow gateway keeps nobody waiting longer than this. */
export const gatewayTimeoutMs = 3000;
