/** How long the link of a message works. */
export const linkValidityMinutes = 30;

/**
 * How many messages one person is sent. The window is as long as a link is valid, so that whoever uses the allowance up on
 * purpose leaves a link in the person's mailbox that works until there is an allowance again.
 */
export const messagesForPerson = { count: 3, windowSeconds: linkValidityMinutes * 60 };

/** How many messages one address may ask for, whoever they are for. */
export const requestsOfAddress = { count: 20, windowSeconds: 60 * 60 };

/** What was asked for is done this much later, together with everything else that was asked for meanwhile. */
export const tasksEveryMs = 1000;

/** More than this waiting is no crowd of forgetful people. */
export const tasksAtMost = 500;
