// The gallery page. The URL contains the selected state and all settings, so that every view can be shared as a link.

/**
 * @template {Element} T
 * @param {string} selector
 * @param {new () => T} kind
 * @returns {T}
 */
function requireElement(selector, kind) {
  const found = document.querySelector(selector);
  if (!(found instanceof kind)) throw new Error(`The page has no ${selector}.`);
  return found;
}

const frame = requireElement('iframe', HTMLIFrameElement);
const switches = requireElement('[data-switches]', HTMLFormElement);
const find = requireElement('[name="find"]', HTMLInputElement);
const list = requireElement('[data-list]', HTMLElement);
const overview = requireElement('[data-overview]', HTMLElement);
const alone = requireElement('[data-alone]', HTMLAnchorElement);
const again = requireElement('[data-action="again"]', HTMLButtonElement);
const language = requireElement('[name="language"]', HTMLSelectElement);

/** @typedef {{ id: string, name: string, picture?: string, isMail?: boolean }} Entry */
/** @typedef {{ groups: { group: string, states: Entry[] }[], locales: string[], rightToLeftLocales: string[], clients: string[] }} Listing */
const { groups, locales, rightToLeftLocales, clients } = /** @type {Listing} */ (
  await (await fetch('/states.json')).json()
);
const states = groups.flatMap((group) => group.states);

const names = new Intl.DisplayNames('en', { type: 'language' });
language.append(...locales.map((locale) => new Option(names.of(locale), locale)));

requireElement('[name="client"]', HTMLSelectElement).append(...clients.map((client) => new Option(client)));

const defaults = {
  /** Empty for the overview. */
  state: '',
  language: 'en',
  colours: 'light',
  width: '1280',
  client: clients[0] ?? '',
};

/** Reads the view from the URL, with defaults for missing settings. */
function readView() {
  const query = new URLSearchParams(location.search);
  return Object.fromEntries(
    Object.entries(defaults).map(([name, fallback]) => [name, query.get(name) ?? fallback]),
  );
}

/** @param {Record<string, string>} change */
function addressOf(change) {
  return `/?${new URLSearchParams({ ...readView(), ...change }).toString()}`;
}

/** @param {Record<string, string>} change */
function go(change) {
  history.pushState(null, '', addressOf(change));
  show();
}

/**
 * Replaces the document without a history entry, because the history belongs to the gallery.
 * @param {HTMLIFrameElement} target
 * @param {string} address
 */
function load(target, address) {
  if (target.dataset['address'] === address) return;
  target.dataset['address'] = address;
  target.contentWindow?.location.replace(address);
}

function show() {
  const view = readView();
  for (const field of switches.elements)
    if (field instanceof HTMLSelectElement) field.value = view[field.name] ?? '';
  const { width = '', ...shown } = view;
  /** @param {string | undefined} state */
  const addressToShow = (state = '') => `/show?${new URLSearchParams({ ...shown, state }).toString()}`;
  const isOverview = view['state'] === '';
  requireElement('[data-name]', HTMLElement).textContent = isOverview
    ? 'Overview'
    : (states.find(({ id }) => id === view['state'])?.name ?? 'There is no such state.');
  requireElement('[data-facts]', HTMLElement).textContent = rightToLeftLocales.includes(
    view['language'] ?? '',
  )
    ? 'from right to left'
    : 'from left to right';
  overview.hidden = !isOverview;
  for (const element of [requireElement('[data-stage]', HTMLElement), alone, again])
    element.hidden = isOverview;
  frame.style.setProperty('--width', `${width}px`);
  if (isOverview) {
    for (const mail of overview.querySelectorAll('iframe')) load(mail, addressToShow(mail.dataset['mail']));
  } else {
    alone.href = addressToShow(view['state']);
    load(frame, alone.href);
  }
  for (const link of document.querySelectorAll('a')) {
    const state = link.dataset['state'];
    if (state === undefined) continue;
    const isHere = state === view['state'];
    link.ariaCurrent = isHere ? 'page' : null;
    link.href = addressOf({ state });
    if (isHere) link.scrollIntoView({ block: 'nearest' });
  }
}

function drawGroups() {
  const wanted = find.value.trim().toLowerCase();
  const found = groups
    .map(({ group, states: all }) => ({
      group,
      states: all.filter(({ id, name }) => `${group} ${id} ${name}`.toLowerCase().includes(wanted)),
    }))
    .filter((group) => group.states.length > 0);
  requireElement('[data-count]', HTMLElement).textContent =
    `${found.reduce((sum, group) => sum + group.states.length, 0)} of ${states.length} states`;
  /**
   * @param {'h2' | 'h3'} level
   * @param {(entry: Entry) => Element} draw
   */
  const drawAll = (level, draw) =>
    found.flatMap(({ group, states: shown }) => {
      const heading = document.createElement(level);
      heading.textContent = group;
      const entries = document.createElement('ul');
      entries.append(...shown.map(draw));
      return [heading, entries];
    });
  list.replaceChildren(...drawAll('h2', drawEntry));
  overview.replaceChildren(...drawAll('h3', drawCard));
}

/** @param {Entry} entry */
function drawEntry({ id, name }) {
  const link = document.createElement('a');
  link.dataset['state'] = id;
  link.textContent = name;
  const item = document.createElement('li');
  item.append(link);
  return item;
}

/** @param {Entry} entry */
function drawCard(entry) {
  const shot = document.createElement('div');
  shot.dataset['shot'] = '';
  if (entry.picture !== undefined) {
    const picture = new Image();
    picture.loading = 'lazy';
    picture.alt = '';
    picture.src = `/pictures/${entry.picture}`;
    shot.append(picture);
  } else if (entry.isMail) {
    const mail = document.createElement('iframe');
    mail.dataset['mail'] = entry.id;
    // The preview is inert; the link of the card opens the e-mail itself.
    mail.inert = true;
    shot.append(mail);
  }
  const item = drawEntry(entry);
  item.prepend(shot);
  return item;
}

find.addEventListener('input', () => {
  drawGroups();
  show();
});
document.addEventListener('click', (event) => {
  const link = event.target instanceof HTMLAnchorElement ? event.target : undefined;
  const state = link?.dataset['state'];
  if (state === undefined || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
  event.preventDefault();
  go({ state });
});
switches.addEventListener('change', ({ target }) => {
  if (target instanceof HTMLSelectElement) go({ [target.name]: target.value });
});
again.addEventListener('click', () => {
  delete frame.dataset['address'];
  show();
});
addEventListener('popstate', show);
drawGroups();
show();
