import { recoveryMessagesPerUser } from '@anteroom/contract/recovery';

/** How long a recovery link is valid. */
export const linkValidityMinutes = 30;

/**
 * Messages per user. The window is as long as a link is valid, so that an attacker who exhausts the limit cannot lock
 * the user out: the last link in the user's mailbox works until the limit resets.
 */
export const messagesForUser = { count: recoveryMessagesPerUser, windowSeconds: linkValidityMinutes * 60 };

/** Requests per network address, for all users together. */
export const requestsOfAddress = { count: 20, windowSeconds: 60 * 60 };

/** The interval at which queued requests are processed together. */
export const taskIntervalMs = 1000;

/** The maximum length of the queue. Only an attack causes a longer one. */
export const maximumQueuedTasks = 500;
