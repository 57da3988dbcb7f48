import { expect } from '@playwright/test';
import type { Browser, Page } from '@playwright/test';
import type { ScriptedIdentity } from '@anteroom/testkit/scripted/scripted-identity';
import { playState } from '../fixtures/play-state.ts';
import type { Shot } from './shots.ts';

/** One page that takes every picture, because creating a browser context takes longer than taking a picture. */
export interface Camera {
  page: Page;
  /** Brings the page into the state of the shot; returns the part of the page for the picture. */
  frame: (shot: Shot, identity: ScriptedIdentity) => Promise<Rectangle>;
  close: () => Promise<void>;
}

type Rectangle = { x: number; y: number; width: number; height: number };

const viewportHeight = 1400;
/** A quarter of 1024 px, for a zoom of 400 %. */
const zoomedHeight = 256;
/** The margin of the page around the card. */
const marginPixels = 24;

export async function openCamera(browser: Browser): Promise<Camera> {
  const context = await browser.newContext({
    reducedMotion: 'reduce',
    deviceScaleFactor: 1,
    // fixed, because the error page shows times in the visitor's time zone
    timezoneId: 'Europe/Berlin',
  });
  const page = await context.newPage();
  await page.addInitScript(standStill);
  return {
    page,
    frame: async (shot, identity) => {
      await context.clearCookies();
      // fixed, because the error page shows the correlation id
      await context.addCookies([
        { name: 'anteroom_correlation', value: 'picture', url: identity.urls.service },
      ]);
      const forcedColors = shot.hasForcedColours ? 'active' : 'none';
      await page.emulateMedia({ colorScheme: shot.colours, forcedColors });
      await page.setViewportSize({
        width: shot.width,
        height: shot.isZoomed ? zoomedHeight : viewportHeight,
      });
      await playState(page, identity, shot.state, shot.locale);
      // A skeleton takes the place of what still loads. Only a list keeps some, if its to-dos do not arrive.
      if (!shot.state.id.startsWith('site-list'))
        await expect(page.locator('[data-skeleton]')).toHaveCount(0);
      // a list of boards shows only the shapes of its rows while it waits for its first to-dos
      await expect(page.locator('[data-awaited]')).toHaveCount(0);
      // a message keeps its height for half a second after a press
      await expect(page.locator('[data-room][style*="clip"]')).toHaveCount(0);
      // moves the pointer away, so that no element has its hover style
      await page.mouse.move(0, 0);
      await page.evaluate(settle);
      // A tall page is shown whole, because its scroll position depends on what loads first. A list stays cut off,
      // because entries that come into view would load their to-dos.
      const height = await page.evaluate(() => document.documentElement.scrollHeight);
      if (!shot.isZoomed && height > viewportHeight && !shot.state.id.startsWith('site-list'))
        await page.setViewportSize({ width: shot.width, height });
      return page.evaluate(findFrame, marginPixels);
    },
    close: async () => context.close(),
  };
}

/**
 * Stops the page's clock, so that no countdown changes. Timers still run, but the list of boards waits long for its
 * to-dos: on a slow machine, it would otherwise reserve lines for answers that are only late.
 */
function standStill(): void {
  const { setTimeout: startTimer } = globalThis;
  globalThis.setTimeout = new Proxy(startTimer, {
    apply: (_, self, [run, ms, ...rest]: [TimerHandler, number?, ...unknown[]]) =>
      Reflect.apply(startTimer, self, [run, ms === 900 ? 8000 : ms, ...rest]) as number,
  });
  const nowMs = Date.UTC(2026, 10, 20, 9, 30);
  const RealDate = Date;
  globalThis.Date = new Proxy(RealDate, {
    construct: (target, given, newTarget) =>
      Reflect.construct(target, given.length === 0 ? [nowMs] : given, newTarget) as object,
    apply: () => new RealDate(nowMs).toString(),
  });
  Date.now = () => nowMs;
  performance.now = () => 1000;
}

/** Resolves when images are decoded, animations have finished and the result is painted. */
async function settle(): Promise<void> {
  await Promise.all([...document.images].map(async (image) => image.decode().catch(() => undefined)));
  // with reduced motion each animation ends directly after its delay
  await Promise.allSettled(document.getAnimations().map(async (animation) => animation.finished));
  await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
}

/** The part of the page with content, plus the margin. */
function findFrame(margin: number): Rectangle {
  const parts = [
    ...document.querySelectorAll(
      '[data-card], [data-policy-line], [data-notification], [role="menu"], [data-splash] > :not(noscript)',
    ),
  ].map((element) => element.getBoundingClientRect());
  const left = Math.max(0, Math.floor(Math.min(...parts.map((part) => part.left))) - margin);
  const top = Math.max(0, Math.floor(Math.min(...parts.map((part) => part.top))) - margin);
  const right = Math.min(innerWidth, Math.ceil(Math.max(...parts.map((part) => part.right))) + margin);
  const bottom = Math.min(innerHeight, Math.ceil(Math.max(...parts.map((part) => part.bottom))) + margin);
  return { x: left, y: top, width: right - left, height: bottom - top };
}
