import { useLayoutEffect, useMemo, useRef } from 'react';
import type { ReactNode, RefObject } from 'react';
import { showsTodos } from '../../flow/steps/select-site.ts';
import { useLanguage } from '../../i18n/language.ts';
import { useFlow, useSend } from '../flow-context.tsx';
import styles from './select-site.module.css';
import { createSightings, SightingsContext } from './sightings.ts';
import { SiteEntry } from './SiteEntry.tsx';
import { SiteGroup } from './SiteGroup.tsx';
import { findAutofocus } from './site-order.ts';
import type { ListedSite } from './site-order.ts';
import { useGrowingCount } from './use-growing-count.ts';

/** From here on entries far from the screen are not laid out. */
const longListCount = 100;

/** Single sites and groups, in their order; the to-dos of those in view are asked for first. */
export function SiteList({ listed }: { listed: readonly ListedSite[] }): ReactNode {
  const { t } = useLanguage();
  const send = useSend();
  const hasTodos = useFlow(showsTodos);
  const list = useRef<HTMLUListElement>(null);
  const autofocus = findAutofocus(listed);
  const count = useGrowingCount(listed.length, (autofocus?.index ?? 0) + 1);
  const sightings = useMemo(
    () => (hasTodos ? createSightings((sites) => send({ type: 'TODOS_WANTED', sites })) : undefined),
    [hasTodos, send],
  );
  useFocusedEntry(list, autofocus?.name);
  const classNames = [
    styles.list,
    ...(hasTodos ? [styles.withTodos] : []),
    ...(listed.length > longListCount ? [styles.long] : []),
  ];
  return (
    <SightingsContext value={sightings}>
      <ul className={classNames.join(' ')} aria-label={t('selectSite.list')} ref={list}>
        {listed
          .slice(0, count)
          .map((entry) =>
            entry.kind === 'group' ? (
              <SiteGroup group={entry} key={entry.name} />
            ) : (
              <SiteEntry site={entry.site} headingLevel="h3" key={entry.site.name} />
            ),
          )}
      </ul>
    </SightingsContext>
  );
}

/** Takes the focus to the entry that asks for it, once, when the list arrives. */
function useFocusedEntry(list: RefObject<Element | null>, name: string | undefined): void {
  const isDone = useRef(false);
  useLayoutEffect(() => {
    if (isDone.current) return;
    isDone.current = true;
    if (name === undefined) return;
    const entry = list.current?.querySelector(`[data-site="${CSS.escape(name)}"]`);
    entry?.querySelector('button')?.focus();
  }, [list, name]);
}
