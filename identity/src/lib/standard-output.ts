import { fstatSync, write as writeToFile } from 'node:fs';

/** What waits for a disk with room, or for a reader: the lines of a busy second. Later ones are left out, and there is no end of memory. */
const waitingBytesLimit = 1024 * 1024;
/** How much is handed on at once; a pipe holds as much. */
const portionBytes = 64 * 1024;
/** A disk that was full is tried again after this long. */
const tryAgainMs = 200;

/** Hands on what it can of `text`; `done` is told how many bytes of it have gone, and why not all. */
export type Sink = (text: Buffer, done: (error: Error | null | undefined, written: number) => void) => void;

/** Lines that nobody waits for. */
export type LineOutput = {
  write: (line: string) => void;
  /** Lines that were left out because too much was waiting. */
  lost: () => number;
  /** Resolves once nothing waits any more, or after `withinMs` all the same. */
  settle: (withinMs: number) => Promise<void>;
};

/**
 * Standard output, for lines. A full disk or a reader that reads no more delays nobody and ends no process (attacks and faults, F05), and
 * it keeps none from ending either: a write that blocks would hold one of Node's threads, and with it `process.exit`, until somebody
 * reads again. So a pipe is written to as a stream, which the operating system tells when there is room, and a file, where nothing waits
 * for a reader, by a thread.
 */
export function openStandardOutput(onResumed?: (lost: number) => void): LineOutput {
  const kind = fstatSync(1);
  if (!kind.isFIFO() && !kind.isSocket()) {
    return createLineOutput((text, done) => writeToFile(1, text, done), onResumed);
  }
  const { stdout } = process;
  // a reader that has gone: the lines are counted as lost, and nothing else comes of it
  stdout.on('error', () => undefined);
  return createLineOutput(
    (text, done) => stdout.write(text, (error) => done(error, error ? 0 : text.length)),
    onResumed,
  );
}

/** `onResumed` is called when lines can be written again after some had been left out. */
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
