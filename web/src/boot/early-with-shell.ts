/** The inline script of a page with a form: shows the form before the application has loaded. */
import { parseSignInArrival } from './arrival.ts';
import { begin } from './begin.ts';
import { chooseShell, fillShell } from './fill-shell.ts';
import type { ShellSources } from './fill-shell.ts';

const { early, answers, contextAddress, wordsAddress } = begin(parseSignInArrival(new URL(location.href)));
const find = (part: string): unknown =>
  answers[Object.keys(answers).find((address) => address.startsWith(part)) ?? ''];
const sources = {
  arrival: early.arrival,
  locale: early.language.locale,
  context: answers[contextAddress],
  settings: find('/api/ui/auth/settings/site?'),
  config: find('/ui/config.json'),
  words: answers[wordsAddress],
} as ShellSources;

const root = document.getElementById('root');
const name = chooseShell(sources);
const template = document.querySelector<HTMLTemplateElement>(
  `template[data-shell="${name}"][lang="${sources.locale}"]`,
);
if (root && template) {
  const { dataset, content, dir } = template;
  fillShell(content, sources);
  document.documentElement.lang = sources.locale;
  document.documentElement.dir = dir;
  document.title = dataset['title'] ?? '';
  root.dataset['shell'] = '';
  root.append(content);
  root.querySelector('input')?.focus();
  const repeatActions = keepActions();
  early.endShell = () => {
    delete root.dataset['shell'];
    repeatActions();
  };
}

/** Controls that need the loaded application. All other links have an address of their own. */
const applicationControls = 'button[type=button], [data-action=back-to-site], [data-action=not-your-site]';

/**
 * Records the visitor's clicks until the application has started. The button of a submitted form shows progress
 * meanwhile. Returns a function that stops recording and repeats the clicks in order.
 */
function keepActions(): () => void {
  const kept: HTMLElement[] = [];
  const end = new AbortController();
  const { signal } = end;
  document.addEventListener(
    'click',
    (event) => {
      const control = (event.target as Element).closest<HTMLElement>(applicationControls);
      // The browser handles a click that opens a new tab or window.
      if (!control || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
      event.preventDefault();
      kept.push(control);
    },
    { signal },
  );
  document.addEventListener(
    'submit',
    (event) => {
      event.preventDefault();
      const button = (event.target as Element).querySelector('button[type=submit]');
      if (!(button instanceof HTMLElement) || kept.includes(button)) return;
      button.setAttribute('aria-disabled', 'true');
      button.dataset['kept'] = '';
      kept.push(button);
    },
    { signal },
  );
  return () => {
    end.abort();
    for (const control of kept) {
      control.removeAttribute('aria-disabled');
      control.click();
    }
  };
}
