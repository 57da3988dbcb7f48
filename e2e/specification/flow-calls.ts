import type { CallName } from '@anteroom/contract';
import type { ScriptedIdentity } from '@anteroom/testkit/scripted/scripted-identity';
import type { Page } from '@playwright/test';
import { dana } from './visit.ts';
import type { Visit } from './visit.ts';

/** How a visitor triggers a call, starting with the address. */
export interface FlowCall {
  call: CallName;
  go: (visit: Visit, page: Page, scripted: ScriptedIdentity) => Promise<void>;
  /** The form that the visitor submits; it stays open after a failure that the contract handles. */
  form?: string;
}

async function openSecondFactor(visit: Visit, scripted: ScriptedIdentity): Promise<void> {
  scripted.script.answer('authenticate', { status: 'second_factor_required' });
  await visit.open();
  await visit.signIn();
  await visit.step('second-factor-required');
}

/** Every call whose failure the flow handles, which excludes calls that the page makes by itself. */
export const flowCalls: readonly FlowCall[] = [
  {
    call: 'getSiteExistence',
    form: 'site-entry',
    go: async (visit) => {
      visit.context({ identityServiceUrl: null });
      await visit.open();
      await visit.field('site').fill('harbor');
      await visit.submit();
    },
  },
  { call: 'getSiteSettings', go: async (visit) => visit.open() },
  {
    call: 'getLogoutContext',
    go: async (visit) => visit.open('/account/logout', { query: { logoutId: 'lo-1' } }),
  },
  {
    call: 'getUserSettings',
    form: 'credentials',
    go: async (visit, _page, { script }) => {
      script.answer('getSiteSettings', { allowPasswordEntry: false });
      await visit.open();
      await visit.field('userName').fill(dana);
      await visit.submit();
    },
  },
  {
    call: 'authenticate',
    form: 'credentials',
    go: async (visit) => {
      await visit.open();
      await visit.signIn();
    },
  },
  {
    call: 'verifyMfaCode',
    form: 'second-factor-required',
    go: async (visit, page, scripted) => {
      await openSecondFactor(visit, scripted);
      await visit.field('code-1').click();
      await page.keyboard.type('123456', { delay: 5 });
      await visit.submit();
    },
  },
  {
    call: 'resendMfaCode',
    form: 'second-factor-required',
    go: async (visit, _page, scripted) => {
      await openSecondFactor(visit, scripted);
      await visit.action('resend-code').click();
    },
  },
  {
    call: 'getRefreshContext',
    go: async (visit, _page, { script }) => {
      script.answer('authenticate', { status: 'select_site_required' });
      await visit.open();
      await visit.signIn();
    },
  },
  {
    call: 'passwordPolicy',
    go: async (visit, _page, { script }) => {
      script.answer('authenticate', { status: 'password_reset_required' });
      await visit.open();
      await visit.signIn();
    },
  },
  {
    call: 'passwordReset',
    form: 'password-reset-voluntary',
    go: async (visit) => {
      visit.signedIn({ promptMethod: 'change_password' });
      await visit.open();
      for (const name of ['currentPassword', 'newPassword', 'newPasswordConfirmation'])
        await visit.field(name).fill('x');
      await visit.submit();
    },
  },
  {
    call: 'getSites',
    go: async (visit) => {
      visit.choosing();
      await visit.open();
    },
  },
  {
    call: 'selectSite',
    form: 'select-site',
    go: async (visit, page) => {
      visit.choosing();
      await visit.open();
      await page.locator('[data-site="harbor"] button').first().click();
    },
  },
  {
    call: 'getPostLoginRedirect',
    go: async (visit) => {
      await visit.open();
      await visit.signIn();
    },
  },
  {
    call: 'signOut',
    go: async (visit) => {
      visit.choosing();
      await visit.open();
      await visit.action('sign-out').click();
    },
  },
];
