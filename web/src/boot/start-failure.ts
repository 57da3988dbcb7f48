import { unreachableInEnglish } from './splash.ts';
import './start-failure.css';

/** The page that could not start becomes an error page of its own: it needs neither the screens nor their texts. */
export function showStartFailure(): void {
  const splash = document.querySelector('[data-splash]');
  const text = document.createElement('p');
  text.setAttribute('role', 'alert');
  text.textContent = unreachableInEnglish;
  const button = document.createElement('button');
  button.type = 'button';
  button.textContent = 'Start again';
  button.onclick = () => location.reload();
  const main = document.createElement('main');
  main.className = 'start-failure';
  main.dataset['step'] = 'error';
  main.lang = 'en';
  main.dir = 'ltr';
  main.append(text, button);
  document.body.append(main);
  splash?.remove();
  button.focus();
}
