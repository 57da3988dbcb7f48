import type { Site } from '@anteroom/contract';
import { memo, useId, useRef, useState } from 'react';
import type { ReactNode } from 'react';
import { findSafeAddress } from '../../addresses.ts';
import type { SiteTodo } from '../../flow/model.ts';
import { isDisabledForEntitlements, isDisabledForMfaRequirements } from '../../flow/steps/select-site.ts';
import { useLanguage } from '../../i18n/language.ts';
import { RichText } from '../../i18n/rich-text.tsx';
import { Icon } from '../../ui/icon/Icon.tsx';
import { InlineIcon } from '../../ui/icon/InlineIcon.tsx';
import { globalSupportAddress } from '../addresses-of-config.ts';
import { supportLink } from '../ClientSupport.tsx';
import { useFlow, useSend } from '../flow-context.tsx';
import { useEntryInView, useWasNearViewport } from './in-view.ts';
import styles from './site-entry.module.css';
import { marksOf, SiteTodos } from './SiteTodos.tsx';

interface SiteEntryProps {
  site: Site;
  /** The group's name, for a site that is shown outside its group. */
  groupName?: string | undefined;
  /** The heading level inside the entry: one below the heading above it. */
  headingLevel: 'h3' | 'h4';
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
  const lacksSecondFactor = isDisabledForMfaRequirements(site);
  const isDisabled = lacksEntitlement || lacksSecondFactor;
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
      <div className={styles.names}>
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
          <bdi>{displayName}</bdi>
        </button>
        {groupName !== undefined && (
          <span className={styles.groupName} id={groupId}>
            <bdi>{groupName}</bdi>
          </span>
        )}
        {clientEntitlement && clientEntitlement.toLowerCase() !== 'none' && (
          <span className={styles.entitlement} data-entitlement="">
            <bdi>{clientEntitlement}</bdi>
          </span>
        )}
        {isCurrent && <span className={styles.here}>{t('selectSite.here')}</span>}
      </div>
      {todo && <SiteTodos site={site} todo={todo} headingLevel={headingLevel} isBlocked={isDisabled} />}
      {isDisabled ? (
        <BlockedReasons
          id={reasonsId}
          lacksEntitlement={lacksEntitlement}
          lacksSecondFactor={lacksSecondFactor}
        />
      ) : (
        <span className={styles.end}>
          {isOpening ? <span className={styles.progress} /> : <Icon name="chevron" />}
        </span>
      )}
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

/** The logo of a site; the default one if there is none or it cannot be loaded. */
function SiteLogo({ path }: { path: string | undefined }): ReactNode {
  const address = findSafeAddress(path);
  const [hasFailed, setFailed] = useState(false);
  const place = useRef<HTMLSpanElement>(null);
  const wasNear = useWasNearViewport(place);
  if (address === undefined || hasFailed)
    return (
      <span className={styles.logo}>
        <Icon name="site" />
      </span>
    );
  return (
    <span className={styles.logo} ref={place}>
      {wasNear && <img className={styles.picture} src={address} alt="" onError={() => setFailed(true)} />}
    </span>
  );
}

interface BlockedReasonsProps {
  id: string;
  lacksEntitlement: boolean;
  lacksSecondFactor: boolean;
}

/** Why a site cannot be selected, and what to do about it. */
function BlockedReasons({ id, lacksEntitlement, lacksSecondFactor }: BlockedReasonsProps): ReactNode {
  const { t } = useLanguage();
  const support = useFlow(globalSupportAddress);
  return (
    <div className={styles.reasons} id={id}>
      {lacksEntitlement && (
        <p className={styles.reason}>
          <InlineIcon name="alert" />
          <span>{t('selectSite.errors.entitlements')}</span>
        </p>
      )}
      {lacksSecondFactor && (
        <p className={styles.reason}>
          <InlineIcon name="alert" />
          <span>
            <RichText message="selectSite.errors.mfa" parts={{ link: supportLink(support) }} />
          </span>
        </p>
      )}
    </div>
  );
}
