import { Link } from 'react-router';
import type { MemberItem } from '../../answers.ts';
import { nameOf } from '../../names.ts';
import { paths } from '../../paths.ts';
import { t } from '../../texts/texts.ts';
import { formatTime } from '../../ui/time/Time.tsx';
import styles from './site.module.css';

export function MemberName({ member }: { member: MemberItem }) {
  return (
    <>
      <Link to={paths.user(member.userId, { site: member.site })}>
        <bdi>{nameOf(member)}</bdi>
      </Link>
      {member.isAdministrator && <span className={styles.mark}>{t('members.office')}</span>}
      <span className={styles.email}>
        <bdi>{member.email}</bdi>
      </span>
    </>
  );
}

export function MemberState({ member }: { member: MemberItem }) {
  const { text, isWaiting } = describeState(member);
  return <span className={isWaiting ? styles.waiting : undefined}>{text}</span>;
}

function describeState(member: MemberItem): { text: string; isWaiting: boolean } {
  const { disabled, entitlementRequirementsMet, invitation } = member;
  if (disabled) return { text: t('members.disabled'), isWaiting: true };
  if (!entitlementRequirementsMet) return { text: t('members.blocked'), isWaiting: true };
  const day = invitation.until === null ? '' : formatTime(invitation.until, { dayOnly: true });
  if (invitation.state === 'expired') return { text: t('members.expired', { day }), isWaiting: true };
  if (invitation.state === 'pending') return { text: t('members.pending', { day }), isWaiting: false };
  return { text: t('members.active'), isWaiting: false };
}
