import { useEffect, useRef } from 'react';
import type { KeyboardEvent, ReactNode, RefObject } from 'react';
import { useLanguage } from '../../i18n/language.ts';
import { findLanguageName } from '../../i18n/language-names.ts';
import { InlineIcon } from '../icon/InlineIcon.tsx';
import { findMenuTarget } from './menu-keys.ts';
import styles from './language-menu.module.css';

export interface LanguageMenuProps {
  id: string;
  labelledBy: string;
  /** The button that opened the menu; a press on it is no press elsewhere. */
  button: RefObject<HTMLButtonElement | null>;
  locales: readonly string[];
  /** The item that takes the focus when the menu opens. */
  firstFocus: number;
  onChoose: (locale: string) => void;
  /** Escape: closes and gives the focus back. */
  onClose: () => void;
  /** Tab, or a press elsewhere: closes and lets the focus go its way. */
  onLeave: () => void;
}

/** The list of the language picker, a menu of radio items (ARIA Authoring Practices). */
export function LanguageMenu(props: LanguageMenuProps): ReactNode {
  const { id, labelledBy, button, locales, firstFocus, onChoose, onClose, onLeave } = props;
  const { t, locale: current } = useLanguage();
  const list = useRef<HTMLUListElement>(null);
  const items = useRef<(HTMLLIElement | null)[]>([]);
  const names = locales.map((locale) => findLanguageName(locale) ?? t('footer.unsupported'));

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
          <bdi>{names[item]}</bdi>
        </li>
      ))}
    </ul>
  );
}
