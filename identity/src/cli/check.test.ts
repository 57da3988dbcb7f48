import { SMTPServer } from 'smtp-server';
import { expect, test } from 'vitest';
import { createCommandLine } from '../../testing/command-line.ts';
import { describeStore } from '../../testing/describe-store.ts';
import { startFakeGateway } from '../../testing/fake-gateway.ts';
import { findFreePort } from '../../testing/free-port.ts';
import { movableClock } from '../../testing/movable-clock.ts';

describeStore('anteroom check', (store) => {
  const check = async (settings: Record<string, string>) => {
    const result = await createCommandLine(store(), movableClock(new Date()), settings).run('check --json');
    return { ...result, of: (name: string) => result.json().find(({ check: one }) => one === name) };
  };

  test('connects to the mail and SMS gateways without sending a message', async () => {
    const gateway = await startFakeGateway();
    const smtp = new SMTPServer({ authOptional: true, disabledCommands: ['STARTTLS'] });
    const smtpPort = await findFreePort();
    await new Promise<void>((resolve) => void smtp.listen(smtpPort, '127.0.0.1', resolve));
    const { code, of } = await check({
      MAIL_SENDER: 'smtp',
      SMTP_URL: `smtp://127.0.0.1:${smtpPort}`,
      MAIL_FROM: 'no-reply@id.example',
      SMS_SENDER: 'webhook',
      SMS_WEBHOOK_URL: gateway.url,
      SMS_FALLBACK_SENDER: 'webhook',
      SMS_FALLBACK_WEBHOOK_URL: gateway.url,
    });
    expect(of('SMS, fallback gateway')).toMatchObject({ ok: true });
    expect(of('SMS')).toMatchObject({ ok: true });
    expect(of('mail')).toMatchObject({ ok: true });
    expect(gateway.requests).toEqual([]);
    expect(of('settings')).toMatchObject({ ok: true });
    expect(of('keys')).toMatchObject({ ok: true });
    expect(code).toBe(0);
    await Promise.all([gateway.close(), new Promise<void>((resolve) => smtp.close(() => resolve()))]);
  });

  test('names gateways that cannot be reached, without the passwords in their URLs', async () => {
    const port = await findFreePort();
    const { code, errors, output, of } = await check({
      MAIL_SENDER: 'smtp',
      SMTP_URL: `smtp://user:hidden-password@127.0.0.1:${port}`,
      MAIL_FROM: 'no-reply@id.example',
      SMS_SENDER: 'webhook',
      SMS_WEBHOOK_URL: `http://127.0.0.1:${port}/sms`,
      SMS_FALLBACK_SENDER: 'webhook',
      SMS_FALLBACK_WEBHOOK_URL: `http://127.0.0.1:${port}/other`,
      PUBLIC_URL: `https://127.0.0.1:${port}`,
    });
    expect(code).toBe(1);
    for (const name of ['mail', 'SMS', 'SMS, fallback gateway', 'TLS of PUBLIC_URL'])
      expect(of(name)).toMatchObject({ ok: false, detail: expect.stringContaining('cannot be reached') });
    expect(`${errors}${output}`).not.toContain('hidden-password');
  });

  test('tests every enabled connection', async () => {
    const commandLine = createCommandLine(store(), movableClock(new Date()));
    const port = await findFreePort();
    const words = `connections add corp --display-name C --kind openid --issuer http://127.0.0.1:${port} --client-id x --public-client`;
    expect(await commandLine.run(words)).toMatchObject({ code: 0 });
    const checked = await commandLine.run('check');
    expect(checked.code).toBe(1);
    expect(checked.output).toMatch(/no +connection corp +discovery: /);
    await commandLine.run('connections disable corp');
    expect((await commandLine.run('check')).output).not.toContain('connection corp');
  });
});
