import { once } from 'node:events';
import { openSync } from 'node:fs';
import { afterEach, expect, test, vi } from 'vitest';
import { startChild } from '../../testing/child-process.ts';
import type { Child } from '../../testing/child-process.ts';
import { createLineOutput, openStandardOutput } from './standard-output.ts';
import type { Sink } from './standard-output.ts';
import { until } from '../../testing/until.ts';

// Attacks and faults, F05: a log without a reader delays nothing, and dropped lines are counted.

const line = `${'x'.repeat(999)}\n`;

/** Creates a stream that accepts lines only when the test says so. */
function createSlowSink() {
  const asked: Parameters<Sink>[] = [];
  const sink: Sink = (text, done) => void asked.push([text, done]);
  return {
    sink,
    take: (error?: Error, written?: number) => {
      const [text, done] = asked.shift() ?? [];
      if (text === undefined || done === undefined) throw new Error('nothing is to be written');
      done(error, written ?? text.length);
      return text.toString();
    },
    asked: () => asked.length,
  };
}

test('listens once for errors of standard output, however many logs are opened', () => {
  openStandardOutput();
  const listeners = process.stdout.listenerCount('error');
  openStandardOutput();
  expect(process.stdout.listenerCount('error')).toBe(listeners);
});

test('writes complete lines in order, even after partial writes', () => {
  const { sink, take, asked } = createSlowSink();
  const output = createLineOutput(sink);
  for (const text of ['one\n', 'two\n', 'three\n']) output.write(text);
  expect(take()).toBe('one\n');
  expect(take(undefined, 2)).toBe('two\nthree\n');
  expect(take()).toBe('o\nthree\n');
  expect([asked(), output.lost()]).toEqual([0, 0]);
});

test('buffers up to a megabyte, then drops and counts lines, and reports the number when writing is possible again', () => {
  const { sink, take, asked } = createSlowSink();
  const resumed = vi.fn<(lost: number) => void>();
  const output = createLineOutput(sink, resumed);
  for (let count = 0; count < 1100; count += 1) output.write(line);
  expect(output.lost()).toBe(1100 - Math.floor((1024 * 1024) / 1000));
  let taken = 0;
  while (asked() > 0) taken += take().length;
  expect(taken).toBe((1100 - output.lost()) * 1000);
  expect(resumed.mock.calls).toEqual([[output.lost()]]);
  output.write(line);
  expect(asked()).toBe(1);
});

test('retries when a full disk has space again, without losing buffered lines', async () => {
  const { sink, take, asked } = createSlowSink();
  const output = createLineOutput(sink);
  output.write('one\n');
  take(new Error('ENOSPC'), 0);
  output.write('two\n');
  await until(() => asked() > 0);
  expect(take()).toBe('one\n');
  expect(take()).toBe('two\n');
  await output.settle(60_000);
});

test('settle waits for the last lines, up to its time limit', async () => {
  const { sink, take, asked } = createSlowSink();
  const output = createLineOutput(sink);
  output.write(line);
  await output.settle(1);
  expect(asked()).toBe(1);
  const settled = output.settle(60_000);
  take();
  await expect(settled).resolves.toBeUndefined();
});

const children: Child[] = [];
afterEach(() => {
  for (const child of children.splice(0)) child.process.kill('SIGKILL');
});

/** Starts a process that writes more than a pipe and the buffer hold; resolves with the number of dropped lines. */
async function startTalkative(stdout?: number): Promise<{ child: Child; leftOut: number }> {
  const child = startChild(
    new URL('../../testing/flood-log.ts', import.meta.url),
    stdout === undefined ? {} : { stdout },
  );
  children.push(child);
  child.process.stdout?.pause();
  const said = await child.saw(/^left out: /);
  return { child, leftOut: Number(said.split(': ')[1]) };
}

test('a process whose output is not read exits with 0 on request [F05, F10]', async () => {
  const { child, leftOut } = await startTalkative();
  expect(leftOut).toBeGreaterThan(0);
  const exited = once(child.process, 'exit');
  child.process.kill('SIGTERM');
  expect(await exited).toEqual([0, null]);
});

test('a process whose output is a full disk exits with 0 on request [F05, F10]', async () => {
  const { child, leftOut } = await startTalkative(openSync('/dev/full', 'w'));
  expect(leftOut).toBeGreaterThan(0);
  const exited = once(child.process, 'exit');
  child.process.kill('SIGTERM');
  expect(await exited).toEqual([0, null]);
});

test('a process whose output is read again reports the number of dropped lines', async () => {
  const { child, leftOut } = await startTalkative();
  child.process.stdout?.resume();
  const line = await child.saw(/"msg":"lines were left out of the log"/);
  expect(JSON.parse(line)).toMatchObject({ level: 'warn', lines: leftOut });
});
