/** A chunk of its own, because the set-up of an app contains the button as well. */
export { CopyButton } from '../CopyButton.tsx';
