import { afterAll, beforeAll, expect, test } from 'vitest';
import { startApplication } from '../../testing/application.ts';
import type { TestApplication } from '../../testing/application.ts';
import { createCommandLine } from '../../testing/command-line.ts';
import { describeStore } from '../../testing/describe-store.ts';
import { deleteAllExpired } from '../store/expired-rows.ts';
import { askForLink, deliverMails, openRecoveryPage } from '../../testing/recovery.ts';

const dayInSeconds = 24 * 60 * 60;
const newPassword = 'copper lantern 58 drifting';

describeStore('an invitation', (store) => {
  let application: TestApplication;

  beforeAll(async () => {
    application = await startApplication(store().database);
  });
  afterAll(() => application.close());

  const run = (words: string, input?: string) =>
    // the service checks the links, so the command needs its keys
    createCommandLine(store(), application.clock, {}, application.keys).run(words, input);

  const fileOf = (names: readonly string[]): string =>
    ['userName,firstName,lastName,email', ...names.map((name) => `${name},In,Vited,${name}@x.example`)].join(
      '\n',
    );

  async function findMail(name: string) {
    const mail = await store()
      .database.selectFrom('outbox')
      .select('text')
      .where('recipient', '=', `${name}@x.example`)
      .orderBy('number', 'desc')
      .executeTakeFirstOrThrow();
    return { text: mail.text, token: /#(\S+)/.exec(mail.text)?.[1] ?? '' };
  }

  async function open(token: string): Promise<number> {
    const page = await openRecoveryPage(application);
    return (await page.post('/api/ui/recovery/open-password-link', { token })).status;
  }

  async function choose(token: string): Promise<number> {
    const page = await openRecoveryPage(application);
    const body = { token, newPassword, newPasswordConfirmation: newPassword };
    return (await page.post('/api/ui/recovery/new-password', body)).status;
  }

  test('states that it is valid for seven days, and sets the first password once', async () => {
    await run('users import - --invite', fileOf(['week']));
    const { text, token } = await findMail('week');
    const until = new Date(application.clock.now().getTime() + 7 * dayInSeconds * 1000);
    expect(text).toContain(String(until.getUTCFullYear()));
    expect(text).toMatch(/until \d+ \w+ \d{4}/);
    expect(text).toContain('invitation=true');
    expect((await run('users show week')).output).toContain(`invited, until ${until.toISOString()}`);
    application.clock.advanceSeconds(7 * dayInSeconds - 1);
    expect(await open(token)).toBe(200);
    expect(await choose(token)).toBe(204);
    expect([await open(token), await choose(token)]).toEqual([400, 400]);
    expect((await run('users show week')).output).toMatch(/invited \S+, accepted \S+/);
  });

  test('expires after --days, and is replaced by a newer invitation', async () => {
    await run('users import -', fileOf(['days']));
    await run('users invite days --days 2');
    const first = await findMail('days');
    await run('users invite days --days 2');
    const second = await findMail('days');
    expect([await open(first.token), await open(second.token)]).toEqual([400, 200]);
    application.clock.advanceSeconds(2 * dayInSeconds);
    expect(await open(second.token)).toBe(400);
  });

  test('is shown as pending, expired or accepted, for 90 days after it expires, and can be sent again', async () => {
    await run('users import - --invite', fileOf(['kept']));
    const isListed = async () => (await run('users list --invited --json')).output.includes('"kept"');
    const state = async () => String((await run('users show kept --json')).json()[0]?.['status']);
    expect([await isListed(), await state()]).toEqual([true, expect.stringContaining('invited, until')]);
    application.clock.advanceSeconds(97 * dayInSeconds - 1);
    await deleteAllExpired(store().database, application.clock.now());
    expect([await isListed(), await state()]).toEqual([true, expect.stringContaining('expired')]);
    await run('users invite kept');
    expect(await state()).toContain('invited, until');
    expect(await choose((await findMail('kept')).token)).toBe(204);
    expect([await isListed(), await state()]).toEqual([false, expect.stringContaining('accepted')]);
    application.clock.advanceSeconds(97 * dayInSeconds);
    await deleteAllExpired(store().database, application.clock.now());
    expect(await state()).toBe('active');
  });

  test('that was sent to a user who chose a password through "forgotten password" is accepted, and its link is invalid', async () => {
    await run('users import - --invite', fileOf(['forgot']));
    const { token } = await findMail('forgot');
    await askForLink(await openRecoveryPage(application), 'forgot');
    const [mail] = await deliverMails(application).then((mails) => mails.slice(-1));
    expect(await choose(/#(\S+)/.exec(mail?.text ?? '')?.[1] ?? '')).toBe(204);
    expect((await run('users show forgot')).output).toMatch(/invited \S+, accepted \S+/);
    expect(await open(token)).toBe(400);
  });

  test('stays valid when a password link is requested; setting the password invalidates both', async () => {
    await run('users import - --invite', fileOf(['both']));
    const invitation = await findMail('both');
    await askForLink(await openRecoveryPage(application), 'both');
    const mails = await deliverMails(application);
    const link = /#(\S+)/.exec(mails.at(-1)?.text ?? '')?.[1] ?? '';
    expect(link).not.toBe(invitation.token);
    expect([await open(invitation.token), await open(link)]).toEqual([200, 200]);
    expect(await choose(invitation.token)).toBe(204);
    expect([await open(invitation.token), await open(link)]).toEqual([400, 400]);
  });

  test('is invalid after the e-mail address changes', async () => {
    await run('users import - --invite', fileOf(['moved']));
    const { token } = await findMail('moved');
    await run('users update moved --email elsewhere@x.example');
    expect(await open(token)).toBe(400);
  });

  test('one command can invite 300 users without using up their limit of requested mails', async () => {
    const names = Array.from({ length: 300 }, (_, index) => `batch-${index}`);
    const imported = await run('users import - --invite --json', fileOf(names));
    expect(imported).toMatchObject({ code: 0, errors: '' });
    expect(imported.json().at(-1)).toEqual({ invited: 300 });
    const sent = await deliverMails(application);
    const invited = sent.map(({ recipient }) => recipient).filter((to) => to.startsWith('batch-'));
    expect([invited.length, new Set(invited).size]).toEqual([300, 300]);
    for (let asked = 0; asked < 3; asked += 1)
      await askForLink(await openRecoveryPage(application), 'batch-299');
    expect(await deliverMails(application)).toHaveLength(3);
  });
});
