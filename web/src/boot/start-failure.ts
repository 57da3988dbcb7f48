import { unreachableInEnglish } from './splash.ts';
import './start-failure.css';

/** Shows an error message on a page that could not start. Needs neither the screens nor their texts. */
export function showStartFailure(): void {
  const splash = document.querySelector('[data-splash]');
  const text = document.createElement('p');
  text.setAttribute('role', 'alert');
  text.textContent = unreachableInEnglish;
  const button = document.createElement('button');
  button.type = 'button';
  button.textContent = 'Try again';
  button.onclick = () => location.reload();
  const main = document.createElement('main');
  main.className = 'start-failure';
  main.dataset['step'] = 'error';
  main.lang = 'en';
  main.dir = 'ltr';
  main.append(text, button);
  document.getElementById('root')?.replaceChildren();
  document.body.append(main);
  splash?.remove();
  button.focus();
}
