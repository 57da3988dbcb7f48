/** The inline script of a page with a form: shows the form before the application has loaded. */
import { parseSignInArrival } from './arrival.ts';
import { begin } from './begin.ts';
import { chooseShell, fillShell } from './fill-shell.ts';
import type { ShellSources } from './fill-shell.ts';
import { keepActions } from './kept-actions.ts';

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
