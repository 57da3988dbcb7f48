import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect, test } from 'vitest';
import { runCommand } from './command.ts';

const isAlive = (processId: number): boolean => {
  try {
    return process.kill(processId, 0);
  } catch {
    return false;
  }
};

async function expectEnd(processId: number): Promise<void> {
  await expect.poll(() => isAlive(processId), { timeout: 60_000 }).toBe(false);
}

/** Starts a process that starts another one, and prints its id. */
const parentOfSleeper = ['-c', 'sleep 1000 & echo $!; wait'];

test('a command that cannot be started has exit code 127', async () => {
  expect(await runCommand('no-such-command', [])).toMatchObject({ exitCode: 127, stdout: '' });
});

test('a command that takes too long has exit code 124, and ends with the processes that it has started', async () => {
  const { exitCode, stdout } = await runCommand('sh', parentOfSleeper, { limitMinutes: 0.5 / 60 });
  expect(exitCode).toBe(124);
  await expectEnd(Number(stdout));
});

test.each(['SIGTERM', 'disconnect'])(
  'on %s, commands end with the processes that they have started',
  async (how) => {
    const script = `
    const { runCommand } = await import(${JSON.stringify(import.meta.resolve('./command.ts'))});
    await runCommand('sh', ${JSON.stringify(parentOfSleeper)}, { show: true });`;
    const runner = spawn(process.execPath, ['--input-type=module', '--eval', script], {
      stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
    });
    const [sleeper] = (await once(runner.stdout!, 'data')) as [Buffer];
    expect(isAlive(Number(sleeper))).toBe(true);
    if (how === 'disconnect') runner.disconnect();
    else runner.kill('SIGTERM');
    await once(runner, 'exit');
    await expectEnd(Number(sleeper));
  },
);
