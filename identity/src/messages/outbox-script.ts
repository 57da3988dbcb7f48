/**
 * Keeps the outbox page current: new messages are inserted at the top and existing elements stay in place, so that
 * focus, selection and scroll position are kept. The document comes parsed from XMLHttpRequest, because Trusted Types
 * forbid `innerHTML`.
 */
export const outboxScript = `
const everyMs = 2000;
const news = document.querySelector('[data-news]');

function readPage() {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open('GET', location.href);
    request.responseType = 'document';
    request.timeout = 10000;
    request.onload = () => (request.status === 200 && request.response ? resolve(request.response) : reject());
    request.onerror = request.ontimeout = () => reject();
    request.send();
  });
}

function addNew(page) {
  const items = [...page.querySelectorAll('[data-messages] > li')];
  const added = items.filter((item) => !document.getElementById(item.firstElementChild.id));
  if (added.length === 0) return;
  document.querySelector('[data-empty]')?.remove();
  const root = document.documentElement;
  const before = root.scrollHeight;
  document.querySelector('[data-messages]').prepend(...added.map((item) => document.importNode(item, true)));
  const count = added.length === 1 ? '1 new message' : added.length + ' new messages';
  news.textContent = count + ' at ' + new Date().toLocaleTimeString('en-GB');
  // keep the scroll position of the reader
  if (root.scrollTop > 0) root.scrollTop += root.scrollHeight - before;
}

async function refresh() {
  if (document.visibilityState === 'visible') {
    try {
      addNew(await readPage());
      document.body.removeAttribute('data-offline');
    } catch {
      document.body.setAttribute('data-offline', '');
    }
  }
  setTimeout(refresh, everyMs);
}
setTimeout(refresh, everyMs);
`;
