import { wholeName } from '@anteroom/contract/person-name';
import { pageAddress } from '../http/page-addresses.ts';
import { asName, layOutMail } from '../messages/mail-layout.ts';
import { findMailFrame } from '../sign-in/account-mail.ts';
import { textsIn } from '../texts/catalogue.ts';
import { runInTransaction } from './admin-context.ts';
import type { AdminContext } from './admin-context.ts';

type Board = { id: string; displayName: string };

/** Tells a user who has an account already that it can enter another site now. */
export async function mailNewBoard(
  context: AdminContext,
  { id: userId, userName, email }: { id: string; userName: string; email: string },
  { displayName }: Board,
): Promise<void> {
  const services = await context.services();
  const { language } = context.operation.actor;
  const { newBoard, notExpected } = textsIn(language).boardMails;
  const { subject, text, button } = newBoard;
  const facts = { site: asName(displayName, language), userName: asName(userName, language) };
  const blocks = [
    { text: text(facts) },
    { label: button, link: pageAddress(context.config.publicUrl, 'home') },
    { text: notExpected },
  ];
  const frame = await findMailFrame(services, context.database, { userId, language });
  await runInTransaction(context, (transaction) =>
    services.notices.keep({ to: email, ...layOutMail(subject, blocks, frame) }, transaction),
  );
  services.notices.sendDue();
}

/** Tells a user, and the other administrators of a site, that the user has become one of them, or no longer is one. */
export async function mailAdministrators(
  context: AdminContext,
  change: 'administratorAdded' | 'administratorRemoved',
  { userId, site: siteName }: { userId: string; site: string },
): Promise<void> {
  const services = await context.services();
  const { database } = context;
  const { language } = context.operation.actor;
  const site = await database
    .selectFrom('sites')
    .select(['id', 'display_name'])
    .where('name', '=', siteName)
    .executeTakeFirst();
  const receivers = await database
    .selectFrom('users')
    .select(['id', 'email', 'first_name', 'last_name', 'user_name'])
    .where('email', 'is not', null)
    // One list of ids, because an `or` would read every user.
    .where('id', 'in', (ids) =>
      ids
        .selectFrom('roles')
        .select('user_id')
        .where('site_id', '=', site?.id ?? '')
        .union(ids.selectFrom('users').select('id as user_id').where('id', '=', userId)),
    )
    .execute();
  const person = receivers.find(({ id }) => id === userId);
  if (site === undefined || person === undefined) return;
  const { [change]: texts, notExpected } = textsIn(language).boardMails;
  const name = wholeName(person.first_name, person.last_name) || person.user_name;
  const facts = { person: asName(name, language), site: asName(site.display_name, language) };
  const blocks = [{ text: texts.text(facts) }, { text: notExpected }];
  for (const { id, email } of receivers) {
    const frame = await findMailFrame(services, database, { userId: id, language });
    const mail = { to: email ?? '', ...layOutMail(texts.subject, blocks, frame) };
    await runInTransaction(context, (transaction) => services.notices.keep(mail, transaction));
  }
  services.notices.sendDue();
}
