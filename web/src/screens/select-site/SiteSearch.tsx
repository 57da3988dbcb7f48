import { useId } from 'react';
import type { KeyboardEvent, ReactNode, RefObject } from 'react';
import { useLanguage } from '../../i18n/language.ts';
import { Icon } from '../../ui/icon/Icon.tsx';
import { InlineIcon } from '../../ui/icon/InlineIcon.tsx';
import { VisuallyHidden } from '../../ui/text/VisuallyHidden.tsx';
import fieldStyles from '../../ui/field/field.module.css';
import styles from './site-search.module.css';

interface SiteSearchProps {
  query: string;
  onSearch: (query: string) => void;
  /** Takes the focus to the first entry of the list. */
  onIntoList: () => void;
  field: RefObject<HTMLInputElement | null>;
}

/** Finds sites while somebody types. Its keys are the browser's own, but for Escape and the way down into the list. */
export function SiteSearch({ query, onSearch, onIntoList, field }: SiteSearchProps): ReactNode {
  const { t } = useLanguage();
  const id = useId();

  const clear = (): void => {
    onSearch('');
    field.current?.focus();
  };
  const useKey = (event: KeyboardEvent): void => {
    // while characters are being composed, every key is the input method's
    if (event.nativeEvent.isComposing || event.altKey || event.ctrlKey || event.metaKey || event.shiftKey)
      return;
    if (event.key === 'Escape' && query !== '') clear();
    else if (event.key === 'ArrowDown') onIntoList();
    else return;
    event.preventDefault();
  };

  return (
    <search className={styles.search}>
      <label htmlFor={id}>
        <VisuallyHidden>{t('selectSite.search.label')}</VisuallyHidden>
      </label>
      <span className={styles.glass}>
        <Icon name="search" />
      </span>
      <input
        className={`${fieldStyles.input} ${styles.field}`}
        id={id}
        ref={field}
        type="search"
        name="search"
        value={query}
        onChange={(event) => onSearch(event.currentTarget.value)}
        onKeyDown={useKey}
        placeholder={t('selectSite.search.label')}
        autoComplete="off"
        autoCapitalize="none"
        autoCorrect="off"
        spellCheck={false}
        enterKeyHint="search"
        dir="auto"
      />
      {query !== '' && (
        <button
          className={fieldStyles.inField}
          type="button"
          aria-label={t('selectSite.search.clear')}
          onClick={clear}
        >
          <InlineIcon name="close" />
        </button>
      )}
    </search>
  );
}
