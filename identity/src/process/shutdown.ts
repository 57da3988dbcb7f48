import type { Log } from '../lib/log.ts';
import type { LineOutput } from '../lib/standard-output.ts';

/** The time to write the last log lines. If the reader of the log hangs, the shutdown must still end. */
const lastLinesMs = 500;

/**
 * Runs `stop` once, on SIGTERM, on SIGINT, or when the parent process ends (its IPC channel closes), and exits with 0
 * within `longestSeconds`, even if something hangs. An uncaught error is logged and ends the process, because its state
 * is unknown; the supervisor starts another one.
 */
export function stopOnSignal(
  stop: () => Promise<void>,
  { log, output, longestSeconds }: { log: Log; output: LineOutput; longestSeconds: number },
): void {
  let stopping = false;
  const exit = async (code: number): Promise<void> => {
    await output.settle(lastLinesMs);
    process.exit(code);
  };
  const begin = (reason: string): void => {
    if (stopping) return;
    stopping = true;
    log.info({ reason, longestSeconds }, 'stopping');
    const hurry = setTimeout(
      () => {
        log.warn('the shutdown has reached its time limit; exiting with work in flight');
        void exit(0);
      },
      longestSeconds * 1000 - lastLinesMs,
    );
    hurry.unref();
    stop().then(
      () => {
        log.info('stopped');
        void exit(0);
      },
      (error: unknown) => {
        log.error({ err: error }, 'could not stop cleanly');
        void exit(1);
      },
    );
  };
  process.on('SIGTERM', () => begin('SIGTERM'));
  process.on('SIGINT', () => begin('SIGINT'));
  process.on('disconnect', () => begin('the parent process has ended'));
  // The IPC channel must not keep the process alive.
  process.channel?.unref();

  const giveUp = (error: unknown): void => {
    log.fatal({ err: error }, 'uncaught error outside any request');
    void exit(1);
  };
  process.on('uncaughtException', giveUp);
  process.on('unhandledRejection', giveUp);
}
