import { supportedLocales } from '@anteroom/contract';
import { useId, useState } from 'react';
import type { ReactNode } from 'react';
import { switchLanguage } from '../../i18n/current-language.ts';
import { findLanguageName } from '../../i18n/language-names.ts';
import { useLanguage } from '../../i18n/language.ts';
import { isSupportedLocale } from '../../i18n/locales.ts';
import { InlineIcon } from '../../ui/icon/InlineIcon.tsx';
import { chooseTheme, findTheme } from '../../ui/theme.ts';
import styles from './account.module.css';
import { Group, Row } from './Row.tsx';

/** The language and the colours of this browser. */
export function Display(): ReactNode {
  const { t, locale } = useLanguage();
  const [theme, setTheme] = useState(findTheme);
  /** The language that is being loaded: the next press of an arrow key continues from it. */
  const [loading, setLoading] = useState<string>();
  const loadLanguage = async (chosen: string): Promise<void> => {
    if (!isSupportedLocale(chosen)) return;
    setLoading(chosen);
    // If its file cannot be loaded, the current language stays.
    await switchLanguage(chosen).catch(() => {});
    setLoading((latest) => (latest === chosen ? undefined : latest));
  };

  return (
    <Group heading={t('account.groups.preferences')}>
      <Choice
        name="language"
        label={t('account.display.language')}
        value={loading ?? locale}
        options={supportedLocales.map((value) => ({
          value,
          label: findLanguageName(value) ?? value,
          lang: value,
        }))}
        onChoose={(chosen) => void loadLanguage(chosen)}
      />
      <Choice
        name="theme"
        label={t('account.display.theme')}
        value={theme ?? ''}
        options={[
          { value: '', label: t('account.display.device') },
          { value: 'light', label: t('account.display.light') },
          { value: 'dark', label: t('account.display.dark') },
        ]}
        onChoose={(chosen) => {
          const next = chosen === 'light' || chosen === 'dark' ? chosen : undefined;
          chooseTheme(next);
          setTheme(next);
        }}
      />
    </Group>
  );
}

interface ChoiceProps {
  name: string;
  label: string;
  value: string;
  options: readonly { value: string; label: string; lang?: string }[];
  onChoose: (value: string) => void;
}

/** A native select that takes effect at once. */
function Choice({ name, label, value, options, onChoose }: ChoiceProps): ReactNode {
  const id = useId();
  return (
    <Row
      id={name}
      title={<label htmlFor={id}>{label}</label>}
      control={
        <div className={styles.choice}>
          <select
            className={styles.select}
            id={id}
            name={name}
            value={value}
            onChange={({ target }) => onChoose(target.value)}
          >
            {options.map((option) => (
              <option key={option.value} value={option.value} lang={option.lang}>
                {option.label}
              </option>
            ))}
          </select>
          <InlineIcon name="chevron-down" />
        </div>
      }
    />
  );
}
