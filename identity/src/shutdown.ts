import type { Log } from './lib/log.ts';
import type { LineOutput } from './lib/standard-output.ts';

/** The last lines are waited for, but not for a reader that reads no more. */
const lastLinesMs = 500;

/**
 * Runs `stop` once, at SIGTERM, SIGINT or when the process that started this one goes away (its IPC channel closes), and
 * leaves with 0 within `longestSeconds`, whatever still hangs. Whatever nobody caught is logged and ends the process: its state is
 * unknown, and the supervisor starts another one.
 */
export function stopOnSignal(
  stop: () => Promise<void>,
  { log, output, longestSeconds }: { log: Log; output: LineOutput; longestSeconds: number },
): void {
  let stopping = false;
  const leave = async (code: number): Promise<void> => {
    await output.settle(lastLinesMs);
    process.exit(code);
  };
  const begin = (reason: string): void => {
    if (stopping) return;
    stopping = true;
    log.info({ reason, longestSeconds }, 'stopping');
    const hurry = setTimeout(
      () => {
        log.warn('something still hangs; leaving without it');
        void leave(0);
      },
      longestSeconds * 1000 - lastLinesMs,
    );
    hurry.unref();
    stop().then(
      () => {
        log.info('stopped');
        void leave(0);
      },
      (error: unknown) => {
        log.error({ err: error }, 'could not stop cleanly');
        void leave(1);
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
    void leave(1);
  };
  process.on('uncaughtException', giveUp);
  process.on('unhandledRejection', giveUp);
}
