import { Suspense } from 'react';
import { Await, Link, Navigate, useLoaderData, useNavigate } from 'react-router';
import type { LoaderFunctionArgs } from 'react-router';
import type { ListAnswer as PageOf } from '../../../../identity/src/manage/answers.ts';
import type { Overview, UserItem } from '../../answers.ts';
import { get, ProblemError } from '../../api.ts';
import { isOffice, currentMe, may, useMe } from '../../me.ts';
import { nameOf } from '../../names.ts';
import { paths } from '../../paths.ts';
import { t } from '../../texts/texts.ts';
import { Page, Section } from '../../ui/page/Page.tsx';
import { SearchField } from '../../ui/search/SearchField.tsx';
import { Cell, Row, Table } from '../../ui/table/Table.tsx';
import { Time } from '../../ui/time/Time.tsx';
import styles from './home.module.css';

const findUsers = async (search: string, limit: number, signal?: AbortSignal): Promise<UserItem[]> =>
  (await get<PageOf<UserItem>>('users', { search, limit: String(limit) }, signal)).items;

export async function loader({ request }: LoaderFunctionArgs) {
  const search = new URL(request.url).searchParams.get('search') ?? '';
  if (search !== '') return { search, found: await findUsers(search, 50, request.signal) };
  const start = await findStart();
  if (start !== undefined) return { search, start };
  // not awaited: the search needs none of it
  return { search, overview: get<Overview>('overview') };
}

/** Who only looks after sites starts on the first one. */
async function findStart(): Promise<string | undefined> {
  const me = await currentMe();
  const [site] = me.sites;
  return !isOffice(me) && site ? paths.sitePeople(site.name) : undefined;
}

/** The search for a user, and what needs a hand. */
export function Component() {
  const data = useLoaderData<typeof loader>();
  const me = useMe();
  const navigate = useNavigate();
  const { search } = data;
  if (data.start !== undefined) return <Navigate to={data.start} replace />;

  /** Opens the first match: also before the matches of the typed text are shown. */
  async function openFirst(text: string): Promise<void> {
    const [first] = await findUsers(text, 1).catch((error: unknown) => {
      if (error instanceof ProblemError) return [];
      throw error;
    });
    await navigate(first === undefined ? paths.home({ search: text }) : addressOf(first, text));
  }

  return (
    <Page
      title={t('home.title')}
      actions={
        may(me, 'users:write') && isOffice(me) && <Link to={paths.resource('users')}>{t('home.all')}</Link>
      }
    >
      {may(me, 'users:read') && (
        <SearchField
          label={t('home.field')}
          hint={t('home.hint')}
          value={search}
          toAddress={(text) => paths.home({ search: text })}
          onEnter={(text) => void openFirst(text)}
          hasFocus
        />
      )}
      {data.found && <Matches found={data.found} search={search} />}
      {data.overview && (
        <Suspense>
          <Await resolve={data.overview}>{(overview) => <NeedsAHand overview={overview} />}</Await>
        </Suspense>
      )}
    </Page>
  );
}

/** A text that is in none of the user's names is the reference of a failed sign-in, or the account's id. */
function addressOf({ id, userName, firstName, lastName, email }: UserItem, search: string): string {
  const isNamed = [userName, email ?? '', `${firstName} ${lastName}`, id].some((name) =>
    name.toLowerCase().includes(search.toLowerCase()),
  );
  return paths.user(id, { correlation: isNamed ? undefined : search });
}

function Matches({ found, search }: { found: readonly UserItem[]; search: string }) {
  return (
    <Table
      label={t('home.title')}
      titles={[t('members.name'), t('home.userName'), t('members.email'), t('members.state')]}
      empty={t('home.noneFound', { text: search })}
    >
      {found.map((user) => (
        <Row
          key={user.id}
          name={user.userName}
          head={
            <Link to={addressOf(user, search)}>
              <bdi>{nameOf(user)}</bdi>
            </Link>
          }
        >
          <Cell>{user.userName}</Cell>
          <Cell>{user.email !== user.userName && user.email}</Cell>
          <Cell>{user.disabled === true && t('members.disabled')}</Cell>
        </Row>
      ))}
    </Table>
  );
}

function NeedsAHand({ overview }: { overview: Overview }) {
  return (
    <Section title={t('home.needsAHand')}>
      {overview.items.length === 0 && <p>{t('home.allWell')}</p>}
      <ul className={styles.list}>
        {overview.items.map(({ kind, text, href, at }) => (
          <li key={`${kind} ${href} ${text}`} data-row={href}>
            <Link to={`/${href}`}>{text}</Link> {at !== null && <Time at={at} dayOnly />}
          </li>
        ))}
      </ul>
    </Section>
  );
}
