import { act } from 'react';
import { createRoot } from 'react-dom/client';
import { createMemoryRouter } from 'react-router';
import { RouterProvider } from 'react-router/dom';
import { onTestFinished, vi } from 'vitest';
import { routes } from '../router.tsx';
import { answerWith } from './stand-in.ts';
import type { Answer, Answers, Received } from './stand-in.ts';

export type Sent = Received & { dryRun: boolean };

/** Shows the console at an address until it `shows` an element, with the answers of a service. Returns the requests. */
export async function draw(address: string, answers: Answers, shows = 'h1'): Promise<Sent[]> {
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true);
  const sent: Sent[] = [];
  vi.stubGlobal('fetch', async (url: string, init: RequestInit) => {
    const { pathname, searchParams } = new URL(url, location.origin);
    const headers = new Headers(init.headers);
    const request = {
      method: init.method ?? 'GET',
      path: pathname.replace('/api/manage/', ''),
      query: searchParams,
      body:
        typeof init.body === 'string' && init.body.startsWith('{')
          ? (JSON.parse(init.body) as unknown)
          : init.body,
      ifMatch: headers.get('if-match'),
    };
    sent.push({ ...request, dryRun: searchParams.has('dry-run') });
    return toResponse(await answerWith(answers, request));
  });
  const container = document.body.appendChild(document.createElement('div'));
  const root = createRoot(container);
  const router = createMemoryRouter(routes, { initialEntries: [address] });
  onTestFinished(() => {
    act(() => root.unmount());
    router.dispose();
    container.remove();
    vi.unstubAllGlobals();
  });
  act(() => root.render(<RouterProvider router={router} />));
  await settle(() => document.querySelector(shows));
  return sent;
}

function toResponse({ status = 200, body = {}, etag }: Answer): Response {
  const type = status < 400 ? 'application/json' : 'application/problem+json';
  return new Response(JSON.stringify(body), {
    status,
    headers: { 'content-type': type, ...(etag !== undefined && { etag }) },
  });
}

/** Waits until the condition holds, with React's updates applied. */
export async function settle<Found>(find: () => Found | null | undefined | false): Promise<Found> {
  const found = await vi.waitFor(
    async () => {
      await act(async () => Promise.resolve());
      const value = find();
      if (value === null || value === undefined || value === false)
        throw new Error(document.body.textContent);
      return value;
    },
    { timeout: 60_000, interval: 5 },
  );
  return found;
}

/** The element with a role's usual tag and a name; throws if there is none. */
export function requireButton(name: string): HTMLButtonElement {
  const all = [...document.querySelectorAll('button')];
  const found = all.find((one) => (one.getAttribute('aria-label') ?? one.textContent) === name);
  if (!found) throw new Error(`No button ${name} among ${all.map((one) => one.textContent).join(', ')}`);
  return found;
}

export async function press(name: string): Promise<void> {
  await act(async () => {
    requireButton(name).click();
    await Promise.resolve();
  });
}

/** Fills the field with a label, like a browser. */
export function fill(label: string, value: string): void {
  const found = [...document.querySelectorAll('label')].find((one) => one.textContent === label);
  const field = document.getElementById(found?.htmlFor ?? '');
  if (!(field instanceof HTMLInputElement)) throw new Error(`No field ${label}`);
  act(() => {
    // React replaces the setter on the element and ignores writes through it, so this uses the prototype's setter.
    Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set?.call(field, value);
    field.dispatchEvent(new Event('input', { bubbles: true }));
  });
}

export const textOf = (selector: string): string => document.querySelector(selector)?.textContent ?? '';
