/** How long a recovery link is valid. */
export const linkValidityMinutes = 30;

/**
 * Messages per user. The window is as long as a link is valid. An attacker who exhausts the limit therefore cannot keep
 * the user from getting a link: the last link works until the limit resets.
 */
export const messagesForPerson = { count: 3, windowSeconds: linkValidityMinutes * 60 };

/** Requests per network address, for all users together. */
export const requestsOfAddress = { count: 20, windowSeconds: 60 * 60 };

/** The interval at which queued requests are processed together. */
export const taskIntervalMs = 1000;

/** A longer queue is an attack. */
export const maximumQueuedTasks = 500;
