import type { Site } from '@anteroom/contract';
import { memo, useId, useRef } from 'react';
import type { ReactNode } from 'react';
import type { SiteTodo } from '../../flow/model.ts';
import { isDisabledForEntitlements, isDisabledForMfaRequirements } from '../../flow/steps/select-site.ts';
import { useLanguage } from '../../i18n/language.ts';
import { Icon } from '../../ui/icon/Icon.tsx';
import { Progress } from '../../ui/progress/Progress.tsx';
import factStyles from '../../ui/text/facts.module.css';
import { useFlow, useSend } from '../flow-context.tsx';
import { SiteLogo } from '../SiteLogo.tsx';
import { BlockedReasons, Remedies } from './BlockedSite.tsx';
import { useEntryInView } from './in-view.ts';
import { PinButton } from './PinButton.tsx';
import styles from './site-entry.module.css';
import { SiteTodos } from './SiteTodos.tsx';
import { marksOf } from './todos.ts';

interface SiteEntryProps {
  site: Site;
  /** The group's name, for a site that is shown outside its group. */
  groupName?: string | undefined;
  /** The heading level inside the entry: one below the heading above it. */
  headingLevel: 3 | 4 | 5;
}

/** A site: a button over the whole entry, with the user's to-dos, or the reasons why the site cannot be selected. */
export const SiteEntry = memo(function SiteEntry({
  site,
  groupName,
  headingLevel,
}: SiteEntryProps): ReactNode {
  const { name, displayName, logoPath, clientEntitlement } = site;
  const { t } = useLanguage();
  const send = useSend();
  const reasonsId = useId();
  const groupId = useId();
  const todo = useFlow(({ todos }) => todos[name]);
  const isOpening = useFlow((state) => state.loading && state.site === name);
  const isCurrent = useFlow(({ siteList }) => siteList?.currentSite === name);
  const label = useEntryLabel(displayName, todo);
  const lacksEntitlement = isDisabledForEntitlements(site);
  const lacksFactor = isDisabledForMfaRequirements(site);
  const isDisabled = lacksEntitlement || lacksFactor;
  const describedBy = [
    ...(groupName === undefined ? [] : [groupId]),
    ...(isDisabled ? [reasonsId] : []),
  ].join(' ');
  const place = useRef<HTMLLIElement>(null);
  useEntryInView(place);
  return (
    <li
      className={isDisabled ? `${styles.entry} ${styles.disabled}` : styles.entry}
      data-site={name}
      data-opening={isOpening ? '' : undefined}
      ref={place}
    >
      <SiteLogo path={logoPath} />
      <div className={styles.words}>
        <button
          className={styles.select}
          type="button"
          aria-label={label}
          aria-current={isCurrent || undefined}
          // `aria-disabled` instead of `disabled` keeps the entry focusable, so that screen readers announce why it
          // cannot be selected.
          aria-disabled={isDisabled || undefined}
          aria-describedby={describedBy || undefined}
          onClick={() => send({ type: 'SELECT_SITE', site: name })}
        >
          <bdi translate="no">{displayName}</bdi>
        </button>
        <div className={factStyles.facts}>
          {groupName !== undefined && (
            <span id={groupId}>
              <bdi translate="no">{groupName}</bdi>
            </span>
          )}
          {clientEntitlement && clientEntitlement.toLowerCase() !== 'none' && (
            <span data-entitlement="">
              <bdi translate="no">{clientEntitlement}</bdi>
            </span>
          )}
          {isCurrent && <span>{t('selectSite.here')}</span>}
        </div>
        {isDisabled && (
          <BlockedReasons id={reasonsId} lacksEntitlement={lacksEntitlement} lacksFactor={lacksFactor} />
        )}
      </div>
      {isDisabled && <Remedies site={site} lacksEntitlement={lacksEntitlement} lacksFactor={lacksFactor} />}
      <PinButton site={site} />
      {!isDisabled && (
        <span className={styles.end}>{isOpening ? <Progress /> : <Icon name="chevron" />}</span>
      )}
      {todo && <SiteTodos site={site} todo={todo} headingLevel={headingLevel} isBlocked={isDisabled} />}
    </li>
  );
});

/** 'Select board', its name, and whether there is something new (specification, point 2). */
function useEntryLabel(displayName: string, todo: SiteTodo | undefined): string {
  const { t } = useLanguage();
  return marksOf(todo).reduce(
    (board, mark) => t('selectSite.boardWithMark', { board, mark: t(`selectSite.${mark}`) }),
    t('selectSite.board', { site: displayName }),
  );
}
