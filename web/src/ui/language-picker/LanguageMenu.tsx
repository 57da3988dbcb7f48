import { useEffect, useLayoutEffect, useRef } from 'react';
import type { KeyboardEvent, ReactNode, RefObject } from 'react';
import { useLanguage } from '../../i18n/language.ts';
import { findLanguageName } from '../../i18n/language-names.ts';
import { InlineIcon } from '../icon/InlineIcon.tsx';
import styles from './language-menu.module.css';

export interface LanguageMenuProps {
  id: string;
  labelledBy: string;
  /** The button that opened the menu. A press on it is not a press outside the menu. */
  button: RefObject<HTMLButtonElement | null>;
  locales: readonly string[];
  /** The item that gets the focus when the menu opens. */
  firstFocus: number;
  onChoose: (locale: string) => void;
  /** Escape: closes the menu and returns the focus to the button. */
  onClose: () => void;
  /** Tab or a press outside: closes the menu without moving the focus. */
  onLeave: () => void;
}

/** The menu of the language picker, with radio items (ARIA Authoring Practices). */
export function LanguageMenu(props: LanguageMenuProps): ReactNode {
  const { id, labelledBy, button, locales, firstFocus, onChoose, onClose, onLeave } = props;
  const { t, locale: current } = useLanguage();
  const list = useRef<HTMLUListElement>(null);
  const items = useRef<(HTMLLIElement | null)[]>([]);
  const names = locales.map((locale) => findLanguageName(locale) ?? t('footer.unsupported'));

  useLayoutEffect(() => {
    if (list.current && button.current) placeMenu(list.current, button.current);
  }, [button]);

  useEffect(() => items.current[firstFocus]?.focus(), [firstFocus]);

  useEffect(() => {
    const leaveElsewhere = ({ target }: PointerEvent): void => {
      const isInside = [list.current, button.current].some(
        (part) => target instanceof Node && part?.contains(target),
      );
      if (!isInside) onLeave();
    };
    document.addEventListener('pointerdown', leaveElsewhere);
    return () => document.removeEventListener('pointerdown', leaveElsewhere);
  }, [button, onLeave]);

  const press = (event: KeyboardEvent, item: number): void => {
    if (event.key === 'Tab') return onLeave();
    if (event.ctrlKey || event.metaKey || event.altKey) return undefined;
    const locale = locales[item];
    if (event.key === 'Escape') onClose();
    else if ((event.key === 'Enter' || event.key === ' ') && locale !== undefined) onChoose(locale);
    else {
      const target = findMenuTarget(event.key, item, names);
      if (target === undefined) return undefined;
      items.current[target]?.focus();
    }
    return event.preventDefault();
  };

  return (
    <ul className={styles.menu} ref={list} id={id} role="menu" aria-labelledby={labelledBy}>
      {locales.map((locale, item) => (
        <li
          className={styles.item}
          key={locale}
          ref={(element) => {
            items.current[item] = element;
          }}
          role="menuitemradio"
          aria-checked={locale === current}
          tabIndex={-1}
          lang={findLanguageName(locale) === undefined ? undefined : locale}
          onClick={() => onChoose(locale)}
          onKeyDown={(event) => press(event, item)}
        >
          <span className={styles.check}>{locale === current && <InlineIcon name="check" />}</span>
          <bdi translate="no">{names[item]}</bdi>
        </li>
      ))}
    </ul>
  );
}

/** The distance to the button and to the edge of the viewport. */
const gapPx = 8;

/**
 * Opens the menu upwards if it fits there, because the button is at the bottom of the card, else where more room is. A
 * higher menu scrolls: what lies above the page cannot be scrolled to.
 */
function placeMenu(menu: HTMLElement, button: HTMLElement): void {
  const { top, bottom } = button.getBoundingClientRect();
  const [above, below] = [top - 2 * gapPx, innerHeight - bottom - 2 * gapPx];
  const opensDown = menu.offsetHeight > above && below > above;
  menu.toggleAttribute('data-down', opensDown);
  menu.style.maxBlockSize = `${opensDown ? below : above}px`;
}

/**
 * The item that a key moves to (ARIA Authoring Practices, "Menu and Menubar Pattern"): arrow keys wrap around, Home and
 * End go to the ends, a letter goes to the next item that begins with it. `current` is -1 while no item has the focus.
 * Undefined for other keys.
 */
function findMenuTarget(key: string, current: number, labels: readonly string[]): number | undefined {
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
  const initial = letter.toLocaleLowerCase();
  const order = labels.map((_, offset) => (current + 1 + offset) % labels.length);
  return order.find((index) => labels[index]?.toLocaleLowerCase().startsWith(initial));
}
