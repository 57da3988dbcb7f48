import type { CallAnswer } from '@anteroom/contract';
import type { Called } from '@anteroom/testkit/scripted/called';
import { contextAt } from '@anteroom/testkit/scripted/opening-scene';
import type { ScriptedName } from '@anteroom/testkit/scripted/scripted-calls';
import type { ScriptedIdentity } from '@anteroom/testkit/scripted/scripted-identity';
import type { Locator, Page } from '@playwright/test';
import { settleNavigations } from '../fixtures/settle-navigations.ts';
import { expect, test as base } from '../fixtures/test.ts';

type Context = CallAnswer<'getAuthContext'>;

export const dana = 'dana@northwind.example';
export const password = 'Quiet-Harbor-Morning-74';

interface Opening {
  query?: Record<string, string>;
  /** Parameters inside ReturnUrl. */
  returnUrl?: Record<string, string>;
  /** Shows the splash for its full time. */
  hasSplash?: boolean;
}

/** The actions that the tests share; elements have their names in the wire contract. */
export interface Visit {
  returnUrl: (more?: Record<string, string>) => string;
  open: (path?: string, opening?: Opening) => Promise<void>;
  /** Scripts the context: a known site without a session, with these changes. */
  context: (more: Partial<Context>) => void;
  /** Scripts the context: a known site, and a valid session of a known user. */
  signedIn: (more?: Partial<Context>) => void;
  /** Scripts the context: a valid session of a known user, who must choose a site. */
  choosing: (more?: Partial<Context>) => void;
  step: (name: string) => Promise<void>;
  stepNow: () => Promise<string | null>;
  field: (name: string) => Locator;
  action: (name: string) => Locator;
  submit: () => Promise<void>;
  signIn: (secret?: string) => Promise<void>;
  isLoading: () => Promise<boolean>;
  /** All text on the screen, including the values of fields. */
  shown: () => Promise<string>;
  /** The number of fields of this name that a visitor can fill in with pointer or keyboard. */
  usable: (name: string) => Promise<number>;
  /** Notifications of one level or of all. */
  notice: (level?: 'info' | 'error') => Locator;
  /** Messages of the whole form. */
  alert: Locator;
  /** Waits until the call has been made `times` times, and returns the last one. */
  called: <Name extends ScriptedName>(name: Name, times?: number) => Promise<Called<Name>>;
  /** Sets the cookie with a notice for the next page. */
  setNotice: (notice: unknown) => Promise<void>;
  /** The address of each navigation of the page, in order. */
  journeys: string[];
}

function createVisit(page: Page, { script, urls, received }: ScriptedIdentity): Visit {
  const journeys: string[] = [];
  page.on('request', (request) => {
    if (request.isNavigationRequest() && request.frame() === page.mainFrame()) journeys.push(request.url());
  });
  const field = (name: string): Locator => page.locator(`main input[name="${name}"]:not([type="hidden"])`);
  const returnUrl = (more: Record<string, string> = {}): string =>
    `/connect/authorize/sample?${new URLSearchParams({
      client_id: 'director',
      scope: 'openid profile',
      redirect_uri: 'https://boards.example/back?x=1&y=2',
      ...more,
    }).toString()}`;
  const visit: Visit = {
    returnUrl,
    journeys,
    field,
    open: async (path = '/account/login', opening = {}) => {
      const query = new URLSearchParams({ ReturnUrl: returnUrl(opening.returnUrl), ...opening.query });
      if (!opening.hasSplash) query.set('skip_splash', 'true');
      await settleNavigations(page);
      await page.goto(`${urls.service}/ui${path}?${query.toString()}`);
    },
    context: (more) => {
      script.answer('getAuthContext', contextAt(urls, more));
      script.answer('getRefreshContext', contextAt(urls, { userName: dana, ...more }));
    },
    signedIn: (more = {}) =>
      visit.context({
        userName: dana,
        session: { state: 'valid', authSite: 'northwind', isExternallyAuthenticated: false },
        ...more,
      }),
    choosing: (more = {}) =>
      visit.context({
        userName: dana,
        selectSite: true,
        session: { state: 'valid', isExternallyAuthenticated: false },
        ...more,
      }),
    step: async (name) => {
      await expect(page.locator('main[data-step]')).toHaveAttribute('data-step', name);
      await expect(page.locator('[data-splash]')).toHaveCount(0);
    },
    // reads the document at once; a locator would wait for the element
    stepNow: async () =>
      page.evaluate(() => document.querySelector('main')?.getAttribute('data-step') ?? null),
    action: (name) => page.locator(`[data-action="${name}"]:visible`),
    submit: async () => page.locator('main button[type="submit"]').click(),
    signIn: async (secret = password) => {
      const name = page.locator('main input[name="userName"]:visible:not([readonly])');
      await page.locator('main input[name="password"]:visible').last().fill(secret);
      if ((await name.count()) > 0 && (await name.inputValue()) === '') await name.fill(dana);
      await visit.submit();
    },
    isLoading: async () => (await page.locator('main[data-loading="true"]').count()) > 0,
    shown: async () =>
      page.evaluate(() => {
        const fields = [...document.querySelectorAll('main input')].filter(
          (input): input is HTMLInputElement => input instanceof HTMLInputElement && input.checkVisibility(),
        );
        return [document.body.innerText, ...fields.map(({ value }) => value)].join('\n');
      }),
    usable: async (name) =>
      page.locator(`input[name="${name}"]`).evaluateAll(
        (inputs) =>
          inputs.filter((input) => {
            if (!(input instanceof HTMLInputElement) || input.readOnly || input.disabled) return false;
            const { width, height } = input.getBoundingClientRect();
            const isSeen = input.checkVisibility({ opacityProperty: true, visibilityProperty: true });
            return (
              isSeen &&
              width > 2 &&
              height > 2 &&
              input.tabIndex >= 0 &&
              !input.closest('[aria-hidden="true"]')
            );
          }).length,
      ),
    notice: (level) => page.locator(level ? `[data-notification="${level}"]` : '[data-notification]'),
    alert: page.locator('main [role="alert"]:not([data-notification])').filter({ hasText: /\S/ }),
    called: async (name, times = 1) => {
      await expect.poll(() => received(name).length, `calls of ${name}`).toBeGreaterThanOrEqual(times);
      const last = received(name).at(-1);
      if (!last) throw new Error(`${name} was not called.`);
      return last;
    },
    setNotice: async (notice) =>
      page.context().addCookies([
        {
          name: 'anteroom_notice',
          value: encodeURIComponent(typeof notice === 'string' ? notice : JSON.stringify(notice)),
          url: urls.service,
          sameSite: 'Lax',
        },
      ]),
  };
  return visit;
}

/** A test of a rule of the specification against the scripted identity service. */
export const test = base.extend<{ visit: Visit }>({
  visit: async ({ page, scripted }, use) => use(createVisit(page, scripted)),
});

export { expect };
