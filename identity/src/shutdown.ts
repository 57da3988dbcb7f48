import type { Logger } from 'pino';

/** The promise is 15 s; what has not ended by then is not waited for. */
const longestSeconds = 12;

/**
 * Runs `stop` once, at SIGTERM, SIGINT or when the process that started this one goes away (its IPC channel closes), and
 * leaves with 0 whatever still hangs. Whatever nobody caught is logged and ends the process: its state is unknown, and
 * the supervisor starts another one.
 */
export function stopOnSignal(stop: () => Promise<void>, log: Logger, drainSeconds: number): void {
  let stopping = false;
  const begin = (reason: string): void => {
    if (stopping) return;
    stopping = true;
    log.info({ reason }, 'stopping');
    const hurry = setTimeout(
      () => {
        log.warn('something still hangs; leaving without it');
        process.exit(0);
      },
      (longestSeconds + drainSeconds) * 1000,
    );
    hurry.unref();
    stop().then(
      () => {
        log.info('stopped');
        process.exit(0);
      },
      (error: unknown) => {
        log.error({ err: error }, 'could not stop cleanly');
        process.exit(1);
      },
    );
  };
  process.on('SIGTERM', () => begin('SIGTERM'));
  process.on('SIGINT', () => begin('SIGINT'));
  process.on('disconnect', () => begin('the parent process has gone'));
  // Listening for the parent is no reason to stay alive.
  process.channel?.unref();

  const giveUp = (error: unknown): void => {
    log.fatal({ err: error }, 'unexpected failure outside every request');
    process.exit(1);
  };
  process.on('uncaughtException', giveUp);
  process.on('unhandledRejection', giveUp);
}
