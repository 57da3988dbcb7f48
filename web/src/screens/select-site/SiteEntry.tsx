import type { Site } from '@anteroom/contract';
import { memo, useId, useRef } from 'react';
import type { ReactNode } from 'react';
import type { SiteTodo } from '../../flow/model.ts';
import { isDisabledForEntitlements, isDisabledForMfaRequirements } from '../../flow/steps/select-site.ts';
import { useLanguage } from '../../i18n/language.ts';
import { Icon } from '../../ui/icon/Icon.tsx';
import { useFlow, useSend } from '../flow-context.tsx';
import { BlockedReasons } from './BlockedReasons.tsx';
import { useSighting } from './sightings.ts';
import { SiteLogo } from './SiteLogo.tsx';
import { TodoWidget } from './TodoWidget.tsx';
import styles from './site-entry.module.css';

interface SiteEntryProps {
  site: Site;
  /** The family of a site that stands away from it. */
  groupName?: string | undefined;
  /** The level of headings inside the entry: one below the heading that it stands under. */
  headingLevel: 'h3' | 'h4';
}

/** One site to enter: a button over the whole entry, with what awaits there, or why it cannot be entered. */
export const SiteEntry = memo(function SiteEntry({
  site,
  groupName,
  headingLevel,
}: SiteEntryProps): ReactNode {
  const { name, displayName, logoPath, clientEntitlement } = site;
  const send = useSend();
  const reasonsId = useId();
  const groupId = useId();
  const todo = useFlow(({ todos }) => todos[name]);
  const label = useEntryLabel(displayName, todo);
  const isOpening = useFlow((state) => state.loading && state.site === name);
  const lacksEntitlement = isDisabledForEntitlements(site);
  const lacksSecondFactor = isDisabledForMfaRequirements(site);
  const isDisabled = lacksEntitlement || lacksSecondFactor;
  const describedBy = [
    ...(groupName === undefined ? [] : [groupId]),
    ...(isDisabled ? [reasonsId] : []),
  ].join(' ');
  const place = useRef<HTMLLIElement>(null);
  useSighting(place);
  return (
    <li
      className={isDisabled ? `${styles.entry} ${styles.disabled}` : styles.entry}
      data-site={name}
      ref={place}
    >
      <SiteLogo path={logoPath} />
      <div className={styles.names}>
        <button
          className={styles.select}
          type="button"
          aria-label={label}
          // not `disabled`: a keyboard reaches the entry and hears why it cannot be entered
          aria-disabled={isDisabled || undefined}
          aria-describedby={describedBy || undefined}
          onClick={() => send({ type: 'SELECT_SITE', site: name })}
        >
          <bdi>{displayName}</bdi>
        </button>
        {groupName !== undefined && (
          <span className={styles.family} id={groupId}>
            <bdi>{groupName}</bdi>
          </span>
        )}
        {clientEntitlement && clientEntitlement.toLowerCase() !== 'none' && (
          <span className={styles.entitlement} data-entitlement="">
            <bdi>{clientEntitlement}</bdi>
          </span>
        )}
      </div>
      {todo && <TodoWidget todo={todo} displayName={displayName} headingLevel={headingLevel} />}
      {isDisabled && (
        <BlockedReasons
          id={reasonsId}
          lacksEntitlement={lacksEntitlement}
          lacksSecondFactor={lacksSecondFactor}
        />
      )}
      <span className={isOpening ? styles.opening : styles.chevron}>
        <Icon name="chevron" />
      </span>
    </li>
  );
});

/** 'Select board' and its name, and whether something new is there (specification, point 2). */
function useEntryLabel(displayName: string, todo: SiteTodo | undefined): string {
  const { t } = useLanguage();
  const fresh = todo?.toDosApiStatus === 'Success' ? todo : undefined;
  return [
    t('selectSite.board', { site: displayName }),
    ...(fresh?.newMaterials ? [t('selectSite.newBook')] : []),
    ...(fresh?.bookUpdates ? [t('selectSite.bookUpdate')] : []),
  ].join(', ');
}
