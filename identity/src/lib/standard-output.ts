import { fstatSync, write as writeToFile } from 'node:fs';

/**
 * The size of the buffer for a full disk or a slow reader, enough for the lines of a busy second. Further lines are
 * dropped, so that memory is bounded.
 */
const waitingBytesLimit = 1024 * 1024;
/** The maximum size of one write, which is the capacity of a pipe. */
const portionBytes = 64 * 1024;
/** The retry interval after a full disk. */
const tryAgainMs = 200;

/**
 * Writes as much of `text` as it can; calls `done` with the number of bytes written, and with an error if bytes remain.
 */
export type Sink = (text: Buffer, done: (error: Error | null | undefined, written: number) => void) => void;

/** Non-blocking line output. */
export type LineOutput = {
  write: (line: string) => void;
  /** The number of dropped lines. */
  lost: () => number;
  /** Resolves when the buffer is empty, or after `withinMs`. */
  settle: (withinMs: number) => Promise<void>;
};

/**
 * Standard output for lines. A full disk or a reader that stops reading neither delays nor ends the process (attacks
 * and faults, F05), nor prevents it from exiting: with a blocking write on one of Node's threads, `process.exit` would
 * wait until the reader resumes. So a pipe is written as a non-blocking stream. Only a file is written on a thread,
 * because no reader can block it.
 */
export function openStandardOutput(onResumed?: (lost: number) => void): LineOutput {
  const kind = fstatSync(1);
  if (!kind.isFIFO() && !kind.isSocket()) {
    return createLineOutput((text, done) => writeToFile(1, text, done), onResumed);
  }
  const { stdout } = process;
  // once, however many logs are opened
  stdout.off('error', ignoreGoneReader).on('error', ignoreGoneReader);
  return createLineOutput(
    (text, done) => stdout.write(text, (error) => done(error, error ? 0 : text.length)),
    onResumed,
  );
}

/** The reader has gone: lines are counted as dropped, without other effects. */
const ignoreGoneReader = (): void => undefined;

/** `onResumed` is called when lines can be written again after some were dropped. */
export function createLineOutput(sink: Sink, onResumed?: (lost: number) => void): LineOutput {
  let portion = Buffer.alloc(0);
  let lines: string[] = [];
  let waitingBytes = 0;
  let isBusy = false;
  let lost = 0;
  let toldLost = 0;
  const settling = new Set<() => void>();

  function handOn(): void {
    if (portion.length === 0) portion = takePortion();
    isBusy = portion.length > 0;
    if (!isBusy) {
      for (const resolve of settling) resolve();
      return;
    }
    sink(portion, (error, written) => {
      portion = portion.subarray(written);
      waitingBytes -= written;
      if (error) {
        setTimeout(handOn, tryAgainMs).unref();
        return;
      }
      if (lost > toldLost) {
        const untold = lost - toldLost;
        toldLost = lost;
        onResumed?.(untold);
      }
      handOn();
    });
  }

  function takePortion(): Buffer<ArrayBuffer> {
    let bytes = 0;
    let count = 0;
    while (count < lines.length && bytes < portionBytes) {
      bytes += Buffer.byteLength(lines[count] ?? '');
      count += 1;
    }
    const taken = Buffer.from(lines.slice(0, count).join(''));
    lines = lines.slice(count);
    return taken;
  }

  return {
    write(line) {
      const bytes = Buffer.byteLength(line);
      if (waitingBytes + bytes > waitingBytesLimit) {
        lost += 1;
        return;
      }
      lines.push(line);
      waitingBytes += bytes;
      if (!isBusy) handOn();
    },
    lost: () => lost,
    async settle(withinMs) {
      if (!isBusy) return;
      await new Promise<void>((resolve) => {
        settling.add(resolve);
        setTimeout(resolve, withinMs);
      });
    },
  };
}
