// The page of the gallery: which state is shown and how stands in the address, so that every view can be passed on as a link.

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
const language = requireElement('[name="language"]', HTMLSelectElement);
const rightToLeft = new Set(['ar', 'he']);

/** @typedef {{ groups: { group: string, states: { id: string, name: string }[] }[], locales: string[], clients: string[] }} Listing */
const { groups, locales, clients } = /** @type {Listing} */ (await (await fetch('/states.json')).json());
const states = groups.flatMap((group) => group.states);

const names = new Intl.DisplayNames('en', { type: 'language' });
language.append(...locales.map((locale) => new Option(names.of(locale), locale)));

requireElement('[name="client"]', HTMLSelectElement).append(...clients.map((client) => new Option(client)));

const defaults = {
  state: states[0]?.id ?? '',
  language: 'en',
  colours: 'light',
  width: '1280',
  client: clients[0] ?? '',
};

/** What the address asks for; what it does not say is as usual. */
function readView() {
  const query = new URLSearchParams(location.search);
  return Object.fromEntries(
    Object.entries(defaults).map(([name, usual]) => [name, query.get(name) ?? usual]),
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

function show() {
  const view = readView();
  for (const field of switches.elements)
    if (field instanceof HTMLSelectElement) field.value = view[field.name] ?? '';
  const { width = '', ...shown } = view;
  const query = new URLSearchParams(shown);
  const address = `/show?${query.toString()}`;
  requireElement('[data-name]', HTMLElement).textContent =
    states.find(({ id }) => id === view['state'])?.name ?? 'There is no such state.';
  requireElement('[data-facts]', HTMLElement).textContent = rightToLeft.has(view['language'] ?? '')
    ? 'from right to left'
    : 'from left to right';
  requireElement('[data-alone]', HTMLAnchorElement).href = address;
  frame.style.setProperty('--width', `${width}px`);
  if (frame.dataset['address'] !== address) {
    frame.dataset['address'] = address;
    // without an entry in the history: the way back is the gallery's
    frame.contentWindow?.location.replace(address);
  }
  for (const link of list.querySelectorAll('a')) {
    const isHere = link.dataset['state'] === view['state'];
    link.toggleAttribute('aria-current', isHere);
    link.href = addressOf({ state: link.dataset['state'] ?? '' });
    if (isHere) link.scrollIntoView({ block: 'nearest' });
  }
}

function drawList() {
  const wanted = find.value.trim().toLowerCase();
  const found = groups
    .map(({ group, states: all }) => ({
      group,
      states: all.filter(({ id, name }) => `${group} ${id} ${name}`.toLowerCase().includes(wanted)),
    }))
    .filter((group) => group.states.length > 0);
  requireElement('[data-count]', HTMLElement).textContent =
    `${found.reduce((sum, group) => sum + group.states.length, 0)} of ${states.length} states`;
  list.replaceChildren(
    ...found.flatMap(({ group, states: shown }) => {
      const heading = document.createElement('h3');
      heading.textContent = group;
      const entries = document.createElement('ul');
      entries.append(...shown.map(drawEntry));
      return [heading, entries];
    }),
  );
}

/** @param {{ id: string, name: string }} state */
function drawEntry({ id, name }) {
  const link = document.createElement('a');
  link.dataset['state'] = id;
  link.href = addressOf({ state: id });
  link.textContent = name;
  link.addEventListener('click', (event) => {
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    go({ state: id });
  });
  const entry = document.createElement('li');
  entry.append(link);
  return entry;
}

find.addEventListener('input', () => {
  drawList();
  show();
});
switches.addEventListener('change', ({ target }) => {
  if (target instanceof HTMLSelectElement) go({ [target.name]: target.value });
});
requireElement('[data-action="again"]', HTMLButtonElement).addEventListener('click', () => {
  delete frame.dataset['address'];
  show();
});
addEventListener('popstate', show);
drawList();
show();
