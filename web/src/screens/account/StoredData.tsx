import { useLayoutEffect, useRef } from 'react';
import type { ReactNode } from 'react';
import { useLanguage } from '../../i18n/language.ts';
import { Description, Heading } from '../../ui/text/Heading.tsx';
import factStyles from '../../ui/text/facts.module.css';
import { saveFile } from '../save-file.ts';
import { useAccount } from './account-context.ts';
import styles from './account.module.css';
import { formatMoment } from '../../i18n/format-moment.ts';
import { Row } from './Row.tsx';

/** What the service stores about the user. */
export type UserData = Readonly<Record<string, unknown>>;

interface StoredDataProps {
  onShow: (data: UserData) => void;
  /** The user has come back from the data. */
  isBack: boolean;
}

/** Shows or downloads the data that the service stores about the user. */
export function StoredData({ onShow, isBack }: StoredDataProps): ReactNode {
  const { t } = useLanguage();
  const { api, changes } = useAccount();
  const place = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    if (isBack) place.current?.closest('li')?.querySelector('button')?.focus();
  }, [isBack]);
  const show = async (): Promise<void> => {
    const result = await changes.make('data', () => api.call('getAccountData', {}));
    if (result) onShow(result.answer);
  };
  const download = async (): Promise<void> => {
    const result = await changes.make('data', () => api.call('getAccountData', {}), {
      done: 'account.data.done',
    });
    if (result) saveData(result.answer);
  };
  return (
    <Row
      id="data"
      title={t('account.data.heading')}
      facts={[t('account.data.description')]}
      actions={[
        { action: 'show-data', label: t('account.data.show'), onPress: () => void show() },
        { action: 'download-data', label: t('account.data.download'), onPress: () => void download() },
      ]}
    >
      <div ref={place} />
    </Row>
  );
}

function saveData(data: UserData): void {
  saveFile('account-data.json', 'application/json', JSON.stringify(data, null, 2));
}

/** The stored data as a page to read and print. The file has the same members under their names in English. */
export function DataPage({ data }: { data: UserData }): ReactNode {
  const { t } = useLanguage();
  return (
    <>
      <Heading>{t('account.data.heading')}</Heading>
      <Description>
        <p>{t('account.data.description')}</p>
      </Description>
      <button className={styles.button} type="button" data-action="print" onClick={() => window.print()}>
        {t('authenticator.print')}
      </button>
      {presentMembers(withBoardNames(data)).map(([name, value]) => (
        <section className={styles.group} key={name}>
          <h2 className={styles.heading}>
            <Label name={name} />
          </h2>
          <Value name={name} value={value} />
        </section>
      ))}
    </>
  );
}

/** The name of a member. Another service can have members that this page does not know: these are in English. */
function Label({ name }: { name: string }): ReactNode {
  const label = useLanguage().find(`account.data.labels.${name}`);
  return label ?? <span lang="en">{inWords(name)}</span>;
}

interface ValueProps {
  name: string;
  value: unknown;
  /** Whether the value belongs to an entry. A list in an entry has one line for each of its own entries. */
  isInner?: boolean;
}

function Value({ name, value, isInner = false }: ValueProps): ReactNode {
  const { t, find, locale } = useLanguage();
  if (Array.isArray(value))
    return name === 'auditEvents' || (isInner && value.every(isRecord)) ? (
      <Lines entries={value} />
    ) : (
      <ul className={styles.values}>
        {value.map((one: unknown, index) => (
          // oxlint-disable-next-line react/no-array-index-key -- the data never changes
          <li key={index}>
            <Value name={name} value={one} />
          </li>
        ))}
      </ul>
    );
  if (typeof value === 'object' && value !== null)
    return (
      <dl className={styles.data}>
        {presentMembers(value).map(([member, one]) => (
          <div key={member}>
            <dt>
              <Label name={member} />
            </dt>
            <dd>
              <Value name={member} value={one} isInner />
            </dd>
          </div>
        ))}
      </dl>
    );
  if (typeof value === 'boolean') return t(value ? 'account.data.yes' : 'account.data.no');
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  const isMoment = /^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(text);
  if (isMoment) return formatMoment(text, locale, 'short');
  // The names of audit events contain dots, which separate the names in a key.
  const known = find(`account.data.values.${name}.${text.replaceAll('.', '-')}`);
  return known ? capitalise(known) : <bdi translate="no">{text}</bdi>;
}

/** A line for each entry, such as an event of the account: what it is, and when it happened. */
function Lines({ entries }: { entries: readonly Readonly<Record<string, unknown>>[] }): ReactNode {
  return (
    <ul className={styles.events}>
      {entries.map(({ at, ...facts }, index) => (
        // oxlint-disable-next-line react/no-array-index-key -- the data never changes
        <li key={index}>
          <span className={factStyles.facts}>
            {presentMembers(facts).map(([member, one], fact) => (
              <span className={fact === 0 ? styles.event : undefined} key={member}>
                <Value name={member} value={one} />
              </span>
            ))}
          </span>
          {at !== undefined && (
            <span className={styles.time}>
              <Value name="at" value={at} />
            </span>
          )}
        </li>
      ))}
    </ul>
  );
}

/** The members with a value. */
const presentMembers = (value: object): [string, unknown][] =>
  Object.entries(value).filter(
    ([, one]: [string, unknown]) =>
      one !== undefined && one !== null && one !== '' && !(Array.isArray(one) && one.length === 0),
  );

/** 'lastSeenAt' as 'Last seen at'. */
function inWords(name: string): string {
  const words = name.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
  return capitalise(words);
}

const capitalise = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** Replaces each site name by the name of the board. The list of boards has both. */
function withBoardNames(data: UserData): UserData {
  const { memberships } = data;
  const boards = new Map(
    (Array.isArray(memberships) ? memberships : [])
      .filter(isRecord)
      .map(({ site, displayName }) => [site, displayName]),
  );
  const nameBoard = ([member, value]: [string, unknown]): [string, unknown] => {
    const board = member === 'site' ? boards.get(value) : undefined;
    return board === undefined ? [member, value] : ['displayName', board];
  };
  return Object.fromEntries(
    Object.entries(data).map(([name, value]) => [
      name,
      Array.isArray(value) && value !== memberships
        ? value.map((one: unknown) =>
            isRecord(one) ? Object.fromEntries(Object.entries(one).map(nameBoard)) : one,
          )
        : value,
    ]),
  );
}

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
