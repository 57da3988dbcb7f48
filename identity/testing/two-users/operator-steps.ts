import { createCommandLine } from '../command-line.ts';
import { openRecoveryPage } from '../recovery.ts';
import { createLinks } from '../../src/recovery/links-store.ts';
import { freshPassword, freshPhoneNumber } from './accounts.ts';
import type { User } from './facts.ts';
import type { State } from './state.ts';
import type { StepOf } from './steps.ts';

export async function recover(state: State, user: User): Promise<void> {
  const { services } = state.node(0);
  const links = createLinks({ ...services, keyRing: services.keys.oneTimeSecrets });
  const token = await services.database
    .transaction()
    .execute((transaction) => links.issue(user.id, transaction));
  const newPassword = freshPassword();
  const page = await openRecoveryPage(state.node(0));
  const answer = await page.post('/api/ui/recovery/new-password', {
    token,
    newPassword,
    newPasswordConfirmation: newPassword,
  });
  if (answer.status !== 204) return;
  user.password = newPassword;
  user.epoch += 1;
}

export async function operate(state: State, user: User, change: StepOf<'operator'>['change']): Promise<void> {
  const { run } = createCommandLine(state.store, state.node(0).clock);
  const words = {
    disable: `users disable ${user.userName}`,
    phone: `users add ${user.userName} --phone-number ${freshPhoneNumber()} --update`,
    'end-sessions': `sessions end --user ${user.userName}`,
  };
  const isChange = change !== 'end-sessions';
  if (isChange) user.changing += 1;
  const { code, errors } = await run(words[change]);
  if (code !== 0) throw new Error(`${words[change]}: ${errors}`);
  if (change === 'disable') user.isDisabled = true;
  if (!isChange) return;
  user.epoch += 1;
  user.changing -= 1;
  const row = await state
    .node(0)
    .services.database.selectFrom('users')
    .select('phone_number')
    .where('id', '=', user.id)
    .executeTakeFirstOrThrow();
  user.phoneNumber = row.phone_number ?? undefined;
  if (change === 'phone') user.factorSinceSeconds ??= state.nowSeconds;
}
