import { strict as assert } from 'node:assert';
import type { Rule } from '../rule.ts';
import { arrive, givePassword, signIn } from '../visits.ts';

type Line = { line: string; subPolicies?: Line[] };

const newPassword = 'calm lantern orchard 5831';

export const passwordRules: readonly Rule[] = [
  {
    id: 'password.policy',
    rule: 'The password policy has lines by name, with the lengths that they use, and is the same for every user name.',
    section: 'Answers (PasswordPolicy)',
    async run(scenario) {
      const { userName, sites } = await scenario.createAccount('password');
      const { visitor } = await arrive(scenario);
      const ask = (name: string) =>
        visitor.succeed('passwordPolicy', { body: { userName: name, site: sites[0] } });
      const policy = await ask(userName);
      assert.deepEqual(await ask(`nobody-${userName}`), policy);
      const names = (policy['policyLines'] as Line[]).map(({ line }) => line);
      assert.ok(names.length > 0);
      for (const number of ['minimumLength', 'maximumLength'])
        if (names.includes(number)) assert.equal(typeof policy[number], 'number');
    },
  },
  {
    id: 'password.required-change',
    rule: 'A user who must change the password is not signed in before; the change completes the sign-in and invalidates the old password.',
    section: 'Answers (AuthResponse), Errors',
    async run(scenario) {
      const { visitor, account, answer, returnUrl } = await givePassword(scenario, 'password-change');
      assert.deepEqual(answer, { status: 'password_reset_required' });
      await visitor.refused('getSites', 'unauthorized', { query: { returnUrl } });
      const right = { currentPassword: account.password, newPassword, newPasswordConfirmation: newPassword };
      const change = (more: Partial<typeof right>) => ({ body: { returnUrl, ...right, ...more } });
      visitor.hides(newPassword);
      await visitor.refused(
        'passwordReset',
        'passwords_do_not_match',
        change({ newPasswordConfirmation: 'another' }),
      );
      await visitor.refused(
        'passwordReset',
        'invalid_credentials',
        change({ currentPassword: 'not this one' }),
      );
      const tooShort = await visitor.refused(
        'passwordReset',
        'invalid_new_password',
        change({ newPassword: 'short', newPasswordConfirmation: 'short' }),
      );
      // The name of the violated policy line is optional.
      assert.ok([undefined, 'minimumLength'].includes(tooShort.json()['policyLine'] as string | undefined));
      const done = await visitor.succeed('passwordReset', change({}));
      assert.equal(done['status'], 'redirect');
      await visitor.succeed('getSites', { query: { returnUrl } });

      const again = await arrive(scenario);
      const signInWith = (password: string) => ({
        body: { returnUrl: again.returnUrl, site: account.sites[0], userName: account.userName, password },
      });
      await again.visitor.refused('authenticate', 'invalid_credentials', signInWith(account.password));
      const { status } = await again.visitor.succeed('authenticate', signInWith(newPassword));
      assert.equal(status, 'redirect');
    },
  },
  {
    id: 'password.voluntary',
    rule: 'A signed-in user changes the password on request of the application, and then signs in with the new one.',
    section: 'Answers (AuthResponse)',
    async run(scenario) {
      const { visitor, account } = await signIn(scenario);
      const { returnUrl } = await arrive(scenario, { prompt: 'change_password', visitor });
      const { userName, password: currentPassword, sites } = account;
      const body = { returnUrl, currentPassword, newPassword, newPasswordConfirmation: newPassword };
      const done = await visitor.succeed('passwordReset', { body });
      assert.equal(done['status'], 'redirect');
      const again = await arrive(scenario);
      const entered = { returnUrl: again.returnUrl, site: sites[0], userName, password: newPassword };
      assert.equal((await again.visitor.succeed('authenticate', { body: entered }))['status'], 'redirect');
    },
  },
  {
    id: 'password.not-asked',
    rule: 'A password cannot be changed in a sign-in that does not require it.',
    section: 'Answers (AuthResponse)',
    async run(scenario) {
      const { visitor, account, returnUrl } = await givePassword(scenario, 'code');
      await visitor.refused('passwordReset', 'unauthorized', {
        body: {
          returnUrl,
          currentPassword: account.password,
          newPassword,
          newPasswordConfirmation: newPassword,
        },
      });
    },
  },
  {
    id: 'sign-out.confirmed',
    rule: 'A signed-in user confirms the sign-out: with a cancel button, a frame, and the address of the logout id, else the start page of the current sign-in.',
    section: 'Answers (LogoutContext)',
    async run(scenario) {
      const { visitor, location } = await signIn(scenario);
      // The sign-out frame notifies an application that the user has entered.
      await visitor.follow(location);
      await arrive(scenario, { prompt: 'switch_site', visitor });
      const { logoutId, address } = await scenario.beginSignOut(visitor);
      const withLogoutId = await visitor.succeed('getLogoutContext', { query: { logoutId } });
      const withoutLogoutId = await visitor.succeed('getLogoutContext');
      for (const context of [withLogoutId, withoutLogoutId]) {
        assert.equal(context['requiresConfirmation'], true);
        assert.equal(context['showCancelButton'], true);
        assert.match(String(context['signOutIFrameUrl']), /^https?:/);
        assert.match(String(context['postLogoutRedirectUri']), /^https?:/);
      }
      assert.equal(withLogoutId['postLogoutRedirectUri'], address);
      assert.notEqual(withoutLogoutId['postLogoutRedirectUri'], address);
    },
  },
  {
    id: 'sign-out.done',
    rule: 'After the sign-out there is no session, nothing to confirm and no frame, and only the logout id still has an address.',
    section: 'Answers (LogoutContext, Sign-out)',
    async run(scenario) {
      const { visitor } = await signIn(scenario);
      const { logoutId, address } = await scenario.beginSignOut(visitor);
      await visitor.succeed('signOut', { body: {} });
      await visitor.refused('getSites', 'unauthorized');
      const withLogoutId = await visitor.succeed('getLogoutContext', { query: { logoutId } });
      const withoutLogoutId = await visitor.succeed('getLogoutContext');
      for (const context of [withLogoutId, withoutLogoutId]) {
        assert.equal(context['requiresConfirmation'], false);
        assert.equal(context['showCancelButton'], false);
        assert.equal(context['signOutIFrameUrl'], undefined);
      }
      assert.equal(withLogoutId['postLogoutRedirectUri'], address);
      assert.equal(withoutLogoutId['postLogoutRedirectUri'], undefined);
      // A sign-out without a session and without a body succeeds too.
      await visitor.succeed('signOut');
    },
  },
];
