import { Link } from 'react-router';
import type { ListAnswer as Page } from '../../../../identity/src/manage/answers.ts';
import type { ListedEvent } from '../../../../identity/src/admin/audit.ts';
import { may, useMe } from '../../me.ts';
import { paths } from '../../paths.ts';
import { t } from '../../texts/texts.ts';
import { describeEvent } from '../event/describe-event.ts';
import { Cell, Row, Table } from '../table/Table.tsx';
import { Time } from '../time/Time.tsx';
import styles from './audit.module.css';

type AuditTableProps = {
  audit: Page<ListedEvent>;
  next: (after: string) => string;
  /** Columns of the technical names, for auditors. */
  isTechnical?: boolean;
};

/** Events of the audit log. */
export function AuditTable({ audit, next, isTechnical = false }: AuditTableProps) {
  const titles = [t('events.time'), t('events.what'), t('events.who')];
  return (
    <Table
      label={t('site.activity')}
      titles={isTechnical ? [...titles, t('events.details')] : titles}
      empty={t('events.none')}
      next={audit.next === null ? undefined : next(audit.next)}
    >
      {audit.items.map((event) => (
        <Row key={event.number} name={event.number} head={<Time at={event.at} />}>
          <Cell>{isTechnical ? <TechnicalName event={event} /> : describeEvent(event)}</Cell>
          <Cell>
            <User event={event} />
          </Cell>
          {isTechnical && <Details event={event} />}
        </Row>
      ))}
    </Table>
  );
}

function User({ event: { user, userId } }: { event: ListedEvent }) {
  const me = useMe();
  if (userId === null || !may(me, 'users:read')) return <bdi>{user}</bdi>;
  return (
    <Link to={paths.user(userId)}>
      <bdi>{user}</bdi>
    </Link>
  );
}

function TechnicalName({ event: { event, result, reason } }: { event: ListedEvent }) {
  return (
    <>
      <code>{event}</code>{' '}
      {result === 'failure' && <span className={styles.failed}>{reason ?? t('events.failure')}</span>}
    </>
  );
}

function Details({ event }: { event: ListedEvent }) {
  const { site, address, details, clientId, connection, correlationId } = event;
  const all = { [t('events.site')]: site, [t('events.from')]: address, clientId, connection, ...details };
  return (
    <Cell>
      <div className={styles.details}>
        {Object.entries(all).map(
          ([name, value]) =>
            value !== null && (
              <span key={name} className={styles.detail}>
                <span className={styles.name}>{name}</span> <bdi>{value}</bdi>{' '}
              </span>
            ),
        )}
        <Link to={paths.audit({ correlation: correlationId })}>{t('office.sameRequest')}</Link>
      </div>
    </Cell>
  );
}
