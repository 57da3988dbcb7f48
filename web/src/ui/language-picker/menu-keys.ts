/**
 * Where the focus goes inside a menu (ARIA Authoring Practices, "Menu and Menubar Pattern"): arrows go round, Home and End go to the
 * ends, a letter goes to the next item that begins with it.
 * `current` is -1 while no item has the focus. Undefined when the key means nothing here.
 */
export function findMenuTarget(key: string, current: number, labels: readonly string[]): number | undefined {
  const count = labels.length;
  switch (key) {
    case 'ArrowDown':
      return (current + 1) % count;
    case 'ArrowUp':
      return current <= 0 ? count - 1 : current - 1;
    case 'Home':
      return 0;
    case 'End':
      return count - 1;
    default:
      return Array.from(key).length === 1 && key !== ' ' ? findByLetter(key, current, labels) : undefined;
  }
}

function findByLetter(letter: string, current: number, labels: readonly string[]): number | undefined {
  const wanted = letter.toLocaleLowerCase();
  const order = labels.map((_, offset) => (current + 1 + offset) % labels.length);
  return order.find((index) => labels[index]?.toLocaleLowerCase().startsWith(wanted));
}
