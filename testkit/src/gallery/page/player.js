// Performs the moves that lead to a state, in the page itself, like a visitor (see testkit/src/states/state.ts).

/** @typedef {import('../../states/state.ts').Move} Move */

/**
 * Waits for the first visible element that matches the selector.
 * @param {string} selector
 * @returns {Promise<HTMLElement>}
 */
async function find(selector) {
  for (;;) {
    const found = [...document.querySelectorAll(selector)].find((element) => element.checkVisibility());
    if (found instanceof HTMLElement) return found;
    await nextFrame();
  }
}

function nextFrame() {
  return new Promise((resolve) => requestAnimationFrame(resolve));
}

/**
 * Simulates typing, so that the application receives the input event.
 * @param {HTMLElement} field
 * @param {string} text
 */
function type(field, text) {
  if (!(field instanceof HTMLInputElement)) return;
  field.focus();
  Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set?.call(field, text);
  field.dispatchEvent(new Event('input', { bubbles: true }));
}

/** @param {Move} move */
async function make(move) {
  switch (move.do) {
    case 'fill':
      return type(await find(`main :not([aria-hidden]) > input[name="${move.field}"]`), move.text);
    case 'enter-code':
      return type(await find('input[name="code-1"]'), move.digits);
    case 'click':
      return (await find(move.on)).click();
    case 'submit':
      return (await find('main button[type="submit"]')).click();
    case 'wait-for':
      return void (await find(move.selector));
    case 'wait-until-gone':
      while (document.querySelector(move.selector)) await nextFrame();
  }
}

const moves = /** @type {Move[]} */ (await (await fetch('/gallery/moves.json')).json());
for (const move of moves) {
  await make(move);
  // Lets the page render the result before the next move.
  await nextFrame();
}
