/** Scrolls what has just opened into view, as the `ref` of its element: at the bottom of the screen, it would be hidden. */
export const bringIntoView = (opened: HTMLElement | null): void =>
  opened?.scrollIntoView({ block: 'nearest' });
