import { afterAll, beforeAll, expect, test } from 'vitest';
import { startApplication } from '../../testing/application.ts';
import type { TestApplication } from '../../testing/application.ts';
import { createCommandLine } from '../../testing/command-line.ts';
import { describeStore } from '../../testing/describe-store.ts';
import { startFakeMailServer } from '../../testing/fake-mail-server.ts';
import type { FakeMailServer } from '../../testing/fake-mail-server.ts';
import { askForLink, openRecoveryPage } from '../../testing/recovery.ts';

describeStore('a permanently rejected e-mail', (store) => {
  let server: FakeMailServer;
  let application: TestApplication;

  beforeAll(async () => {
    server = await startFakeMailServer();
    application = await startApplication(store().database, { settings: smtp() });
  });
  afterAll(async () => {
    await application.close();
    await server.close();
  });

  const smtp = () => ({ MAIL_SENDER: 'smtp', SMTP_URL: server.url, MAIL_FROM: 'no-reply@id.example' });
  const run = (words: string, input?: string) =>
    createCommandLine(store(), application.clock, smtp(), application.keys).run(words, input);

  async function add(name: string): Promise<void> {
    const email = `${name}@x.example`;
    await run(`users add ${name} --first-name B --last-name N --email ${email}`);
  }

  async function ask(userName: string): Promise<number> {
    const { status } = await askForLink(await openRecoveryPage(application), userName);
    await application.recovery.drain();
    await application.services.settleMessages();
    return status;
  }

  const isBounced = async (name: string): Promise<boolean> =>
    (await run(`users show ${name}`)).output.includes('mail bounced on ');

  async function findEvents(name: string) {
    await application.services.audit.flush();
    return (await run(`audit list --user ${name} --event mail.bounce --json`)).json();
  }

  test('is shown to operators, with an event and a metric, while the visitor’s response does not change', async () => {
    await add('nobody');
    await add('somebody');
    expect([await ask('nobody'), await ask('somebody')]).toEqual([204, 204]);
    expect([await isBounced('nobody'), await isBounced('somebody')]).toEqual([true, false]);
    const at = application.clock.now().toISOString();
    expect((await run('users show nobody')).output).toContain(`mail bounced on ${at} (550)`);
    expect(await findEvents('nobody')).toMatchObject([{ result: 'failure', reason: '550' }]);
    expect(await application.services.metrics.registry.metrics()).toContain(
      'anteroom_authentication_events_total{event="mail.bounce",result="failure"} 1',
    );
    const listed = (await run('users list --bounced --json')).json();
    expect(listed.map(({ userName }) => userName)).toEqual(['nobody']);
    expect((await run('users list --no-bounced --search body --json')).json()).toMatchObject([
      { userName: 'somebody' },
    ]);
    expect(JSON.parse((await run('users export nobody')).output)).toMatchObject({
      returnedMails: [{ status: '550' }],
    });
  });

  test('is cleared when the server accepts mail to the address', async () => {
    server.unknown.add('full@');
    await add('full');
    await ask('full');
    expect(await isBounced('full')).toBe(true);
    server.unknown.delete('full@');
    await ask('full');
    expect(await isBounced('full')).toBe(false);
  });

  test('is cleared when the address changes', async () => {
    server.unknown.add('mover@');
    await add('mover');
    await ask('mover');
    expect(await isBounced('mover')).toBe(true);
    // The previous address gets a mail about the change.
    server.unknown.delete('mover@');
    await run('users update mover --email moved@x.example');
    expect(await isBounced('mover')).toBe(false);
    await run('users update mover --email mover@x.example');
    expect(await isBounced('mover')).toBe(false);
  });

  test('is recorded for an invitation too, and reported to the operator', async () => {
    server.unknown.add('invited-nobody@');
    const file = 'userName,firstName,lastName,email\ninvited-nobody,B,N,invited-nobody@x.example\n';
    const command = createCommandLine(store(), application.clock, smtp(), application.keys);
    const invited = await command.run('users import - --invite', file);
    // The command flushes the audit log when it ends; so does this test.
    await (await command.context.services()).audit.flush();
    expect(invited).toMatchObject({ code: 1, errors: expect.stringContaining('invalid-recipient') });
    expect(await isBounced('invited-nobody')).toBe(true);
    expect(await findEvents('invited-nobody')).toHaveLength(1);
  });

  test('is recorded when the mail system reports it later', async () => {
    await add('later');
    expect(await run('users bounced LATER@x.example --status 5.1.1')).toMatchObject({ code: 0, errors: '' });
    expect((await run('users show later')).output).toMatch(/mail bounced on \S+ \(5\.1\.1\)/);
    expect(await findEvents('later')).toMatchObject([{ reason: '5.1.1' }]);
    expect(await run('users bounced stranger@x.example')).toMatchObject({
      code: 1,
      errors: 'no user has this e-mail\n',
    });
    expect((await run('users bounced later@x.example --status maybe')).code).toBe(2);
  });
});
