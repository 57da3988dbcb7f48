import { useEffect, useRef } from 'react';
import { useNavigate } from 'react-router';
import styles from './search.module.css';

type SearchFieldProps = {
  label: string;
  hint?: string;
  value: string;
  /** The address that shows the matches of a text. */
  toAddress: (text: string) => string;
  /** Enter; the default shows the matches. */
  onEnter?: (text: string) => void;
  hasFocus?: boolean;
};

/** The matches follow the typing, a moment after the last key. */
const pauseMs = 150;

export function SearchField({ label, hint, value, toAddress, onEnter, hasFocus = false }: SearchFieldProps) {
  const navigate = useNavigate();
  const field = useRef<HTMLInputElement>(null);
  const timer = useRef<number>(undefined);
  useEffect(() => {
    if (hasFocus) field.current?.focus();
  }, [hasFocus]);
  useEffect(() => () => clearTimeout(timer.current), []);

  const show = (text: string): void => {
    clearTimeout(timer.current);
    void navigate(toAddress(text), { replace: true, preventScrollReset: true });
  };
  return (
    <search>
      <form
        className={styles.search}
        onSubmit={(event) => {
          event.preventDefault();
          clearTimeout(timer.current);
          const text = field.current?.value.trim() ?? '';
          if (onEnter && text !== '') onEnter(text);
          else show(text);
        }}
      >
        <label htmlFor="search">{label}</label>
        <input
          ref={field}
          id="search"
          type="search"
          autoComplete="off"
          spellCheck={false}
          dir="auto"
          defaultValue={value}
          aria-describedby={hint === undefined ? undefined : 'search-hint'}
          onChange={({ target }) => {
            clearTimeout(timer.current);
            timer.current = window.setTimeout(() => show(target.value.trim()), pauseMs);
          }}
        />
        {hint !== undefined && <span id="search-hint">{hint}</span>}
      </form>
    </search>
  );
}
