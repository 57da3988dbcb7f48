import { useId, useRef, useState } from 'react';
import type { ComponentType, KeyboardEvent, ReactNode } from 'react';
import { useLanguage } from '../../i18n/language.ts';
import { requirePart } from '../../late-part.ts';
import { InlineIcon } from '../icon/InlineIcon.tsx';
import type { LanguageMenuProps } from './LanguageMenu.tsx';
import styles from './language-picker.module.css';

const loadMenu = () => import('./LanguageMenu.tsx');
type LanguageMenuPart = Awaited<ReturnType<typeof loadMenu>>;

interface LanguagePickerProps {
  /** The languages in order; an unsupported one is labelled 'unsupported'. */
  locales: readonly string[];
  onChoose: (locale: string) => void;
}

/**
 * A menu button with every language by its own name. Hidden at 440 px or less (specification, point 2). The menu is a
 * separate chunk that loads when the visitor focuses or points at the button.
 */
export function LanguagePicker({ locales, onChoose }: LanguagePickerProps): ReactNode {
  const { t, locale: current } = useLanguage();
  const id = useId();
  const button = useRef<HTMLButtonElement>(null);
  const [isOpen, setOpen] = useState(false);
  const [firstFocus, setFirstFocus] = useState(0);
  const [menu, setMenu] = useState<{ Menu: ComponentType<LanguageMenuProps> }>();

  const show = ({ LanguageMenu }: LanguageMenuPart): void => setMenu({ Menu: LanguageMenu });
  const prefetchMenu = (): void => {
    // The press that needs the menu tries again.
    if (!menu) loadMenu().then(show, () => {});
  };
  const open = (item: number): void => {
    if (!menu) requirePart('language-menu', loadMenu).then(show, () => setOpen(false));
    setFirstFocus(Math.max(0, item));
    setOpen(true);
  };
  const close = (): void => {
    setOpen(false);
    button.current?.focus();
  };
  const choose = (locale: string): void => {
    close();
    if (locale !== current) onChoose(locale);
  };
  const press = (event: KeyboardEvent): void => {
    if (event.key === 'Escape') setOpen(false);
    if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return;
    event.preventDefault();
    open(event.key === 'ArrowDown' ? 0 : locales.length - 1);
  };

  return (
    <div className={styles.place}>
      <button
        className={styles.button}
        ref={button}
        id={id}
        type="button"
        data-action="language"
        aria-haspopup="menu"
        aria-expanded={isOpen}
        aria-controls={isOpen ? `${id}-menu` : undefined}
        onPointerEnter={prefetchMenu}
        onFocus={prefetchMenu}
        onClick={() => (isOpen ? setOpen(false) : open(locales.indexOf(current)))}
        onKeyDown={press}
      >
        <InlineIcon name="globe" />
        <span>{t('footer.languages')}</span>
        <span className={isOpen ? styles.turned : undefined}>
          <InlineIcon name="chevron-down" />
        </span>
      </button>
      {isOpen && menu && (
        <menu.Menu
          id={`${id}-menu`}
          labelledBy={id}
          button={button}
          locales={locales}
          firstFocus={firstFocus}
          onChoose={choose}
          onClose={close}
          onLeave={() => setOpen(false)}
        />
      )}
    </div>
  );
}
