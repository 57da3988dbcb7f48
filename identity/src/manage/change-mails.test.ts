import { supportedLocales } from '@anteroom/contract';
import { expect, test } from 'vitest';
import { createCommandLine } from '../../testing/command-line.ts';
import { openConsole } from '../../testing/operators.ts';
import { addAccount } from '../../testing/two-users/accounts.ts';
import { useApplication } from '../../testing/use-application.ts';
import { until } from '../../testing/until.ts';
import { textsIn } from '../texts/catalogue.ts';

const application = useApplication();

async function mailsTo(recipient: string): Promise<{ subject: string | null; text: string }[]> {
  const { services } = application();
  await services.settleMessages();
  return await services.database
    .selectFrom('outbox')
    .select(['subject', 'text'])
    .where('recipient', '=', recipient)
    .orderBy('number')
    .execute();
}

test.each(supportedLocales)(
  'a user gets a mail when an operator changes or removes the number, or a lost phone (%s)',
  async (language) => {
    const account = await addAccount(application(), { memberOf: ['harbor'] });
    const email = `${account.id}@corp.example`;
    const owner = await openConsole(application(), 'owner@demo.example');
    const path = `users/${account.id}`;
    const headers = { 'if-match': '*', 'accept-language': language };
    await owner.manage('PATCH', path, { email }, headers);
    for (const phoneNumber of ['+442079460123', null]) {
      expect(await owner.manage('PATCH', path, { phoneNumber }, headers)).toMatchObject({ status: 200 });
      // Mails are sent after the answer, so a later one could overtake this one.
      await application().services.settleMessages();
    }
    await owner.manage('POST', `${path}/lost-phone`, { phoneNumber: '+442079460124', language });
    // A name is no factor.
    await owner.manage('PATCH', path, { firstName: 'Ada' }, headers);
    const { changes } = textsIn(language).accountChangedMail;
    const mails = await mailsTo(email);
    const told = (['officeSetNumber', 'officeRemovedNumber', 'lostPhone'] as const).map(
      (name) => changes[name],
    );
    expect(mails.map(({ subject }) => subject)).toEqual(told.map(({ subject }) => subject));
    for (const [index, { changed }] of told.entries()) expect(mails[index]?.text).toContain(changed);
    for (const { text } of mails) expect(text).not.toContain('+44');
  },
);

test('the previous address gets a mail about a new one, which it does not name', async () => {
  const account = await addAccount(application(), { memberOf: ['harbor'] });
  const owner = await openConsole(application(), 'owner@demo.example');
  const change = async (email: string): Promise<void> => {
    const answer = await owner.manage('PATCH', `users/${account.id}`, { email }, { 'if-match': '*' });
    expect(answer.status, answer.text).toBe(200);
  };
  const [before, after] = [`${account.id}.before@corp.example`, `${account.id}.after@corp.example`];
  await change(before);
  await change(after);
  const [mail, ...more] = await mailsTo(before);
  expect(more).toEqual([]);
  expect(mail?.subject).toBe(textsIn('en').boardMails.addressChanged.subject);
  expect(mail?.text).toContain(account.userName);
  expect(mail?.text).toContain(textsIn('en').boardMails.notExpected);
  expect(JSON.stringify(mail)).not.toContain(after);
});

test('an import sends the same mails as the console', async () => {
  const account = await addAccount(application(), { memberOf: ['harbor'] });
  const email = `${account.id}@corp.example`;
  const { services, clock, keys } = application();
  const line = createCommandLine(services, clock, { MAIL_SENDER: 'outbox' }, keys);
  await line.run(`users update ${account.userName} --email ${email}`);
  const file = `userName,firstName,lastName,email,phoneNumber\n${account.userName},A,B,${email},+442079460125\n`;
  expect(await line.run('users import - --update', file)).toMatchObject({ code: 0 });
  await until(async () => (await mailsTo(email)).length > 0);
  expect(await mailsTo(email)).toMatchObject([
    { subject: textsIn('en').accountChangedMail.changes.officeSetNumber.subject },
  ]);
});
