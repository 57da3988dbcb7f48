import { html } from './html.ts';
import type { Html } from './html.ts';
import { page } from './pages.ts';

// The pages to which the footer of the sign-in card links. They describe the demonstration; a real organisation has its
// own pages.

type Section = { heading: string; text: string };

const privacy: readonly Section[] = [
  {
    heading: 'What is kept',
    text: 'Your name, your sign-in e-mail, the boards that you belong to, and when you signed in. Passwords are kept only as hashes that cannot be turned back.',
  },
  {
    heading: 'What is not',
    text: 'Nothing about you is sold, and nothing is sent anywhere else. Messages of this demonstration stay in an outbox on this machine.',
  },
  {
    heading: 'Cookies',
    text: 'One says who you are while you are signed in, and ends with the session. Others remember your language, the site that you entered last, and a device that you called your own.',
  },
];

const support: readonly Section[] = [
  {
    heading: 'You cannot sign in',
    text: 'Check the name of your site first; your board office knows it. If the password is lost, the link below the sign-in form leads to a new one.',
  },
  {
    heading: 'The code does not come',
    text: 'A code by text message arrives within a minute. Ask for a new one after that. If your number has changed, only your board office can change it here.',
  },
  {
    heading: 'Somebody else may have your password',
    text: 'Change it at once from the portal, which signs you out everywhere else, and tell your board office.',
  },
];

/** What the demonstration stores about people; the same text for each language. */
export function privacyPage(): string {
  return informationPage(
    'Privacy policy',
    'What this demonstration keeps about you, in a few words.',
    privacy,
  );
}

/** Help for users who cannot sign in. */
export function supportPage(): string {
  return informationPage('Support', 'The three things that people ask most.', support);
}

function informationPage(title: string, lead: string, sections: readonly Section[]): string {
  const parts: Html[] = sections.map(
    ({ heading, text }) =>
      html`<h2>${heading}</h2>
        <p>${text}</p>`,
  );
  return page(
    title,
    html`<section class="card">
      <h1>${title}</h1>
      <p class="lead">${lead}</p>
      <div class="sections">${parts}</div>
      <p><a href="/">Back to the portal</a></p>
    </section>`,
  );
}
