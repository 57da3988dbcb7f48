/**
 * Inputs that the visitor can fill in: not hidden, read-only or out of the tab order. Excludes a search, which is
 * optional, and a list that takes effect at once.
 */
const fillable =
  'input:not([type="hidden"]):not([type="search"]):not([readonly]):not([tabindex="-1"]):not(:disabled), textarea:not(:disabled)';

/** Focuses the first input of a step, else its heading (wire contract, "Decisions": focus on a new step). */
export function focusStep(place: ParentNode | null): void {
  const target =
    place?.querySelector<HTMLElement>(fillable) ??
    place?.querySelector<HTMLElement>('h1, h2, [tabindex="-1"]');
  target?.focus();
}
