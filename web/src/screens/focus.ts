/**
 * Inputs that a person may fill in: not hidden, not read-only, not out of the tab order. A search is no field of a step: it finds something on
 * it for those who want that.
 */
const fillable =
  'input:not([type="hidden"]):not([type="search"]):not([readonly]):not([tabindex="-1"]):not(:disabled), select:not(:disabled), textarea:not(:disabled)';

/**
 * Gives the focus to the first field of a step that may be filled in, else to its heading
 * (wire contract, "Decisions": focus on a new step).
 */
export function focusStep(place: ParentNode | null): void {
  const target =
    place?.querySelector<HTMLElement>(fillable) ??
    place?.querySelector<HTMLElement>('h1, h2, [tabindex="-1"]');
  target?.focus();
}
