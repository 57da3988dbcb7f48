import { useState } from 'react';
import type { ReactNode } from 'react';
import { useLoaderData } from 'react-router';
import type { LoaderFunctionArgs } from 'react-router';
import type { ListAnswer as PageOf } from '../../../../identity/src/manage/answers.ts';
import type { MemberItem } from '../../answers.ts';
import { get } from '../../api.ts';
import { useDoing } from '../../doing.ts';
import { may, useMe } from '../../me.ts';
import { apiPath, paths } from '../../paths.ts';
import { t } from '../../texts/texts.ts';
import { Button } from '../../ui/button/Button.tsx';
import { Note } from '../../ui/note/Note.tsx';
import { SearchField } from '../../ui/search/SearchField.tsx';
import { Cell, Row, Table } from '../../ui/table/Table.tsx';
import { AddPerson } from './AddPerson.tsx';
import { MemberActions, MemberPanel } from './MemberActions.tsx';
import type { Result } from './MemberActions.tsx';
import { MemberName, MemberState } from './MemberCells.tsx';
import { SitePage } from '../../ui/page/SitePage.tsx';

export { shouldRevalidate } from '../../doing.ts';

type Site = { name: string; displayName: string };

export async function loader({ params, request }: LoaderFunctionArgs) {
  const name = params['site'] ?? '';
  const { searchParams } = new URL(request.url);
  const [search, after] = [searchParams.get('search') ?? '', searchParams.get('after') ?? ''];
  const [site, members] = await Promise.all([
    get<Site>(apiPath('sites', name), {}, request.signal),
    get<PageOf<MemberItem>>(`${apiPath('sites', name)}/members`, { search, after }, request.signal),
  ]);
  return { site, members, search };
}

/** The people of a board: who they are, whether they can enter, and what the board office can do. */
export function Component() {
  const { site, members, search } = useLoaderData<typeof loader>();
  const me = useMe();
  const { doing, open, close } = useDoing();
  const [result, setResult] = useState<Result>();
  const isListed = members.items.some(({ userId }) => userId === result?.userId);
  const mayAdd = may(me, 'members:write', site.name);

  function belowOf(member: MemberItem): ReactNode {
    if (doing === member.userId)
      return (
        <MemberPanel
          member={member}
          onClose={close}
          onResult={(done) => {
            close();
            setResult(done);
          }}
        />
      );
    return result?.userId === member.userId && <ResultNote result={result} />;
  }

  return (
    <SitePage
      key={site.name}
      site={site}
      actions={
        mayAdd && (
          <Button opens="add" onPress={() => open('add', 'members:write')}>
            {t('members.add')}
          </Button>
        )
      }
    >
      {doing === 'add' && mayAdd && (
        <AddPerson
          site={site.name}
          onDone={(text) => {
            close();
            setResult({ text });
          }}
          onCancel={close}
        />
      )}
      {result && !isListed && <ResultNote result={result} />}
      <SearchField
        label={t('members.search')}
        value={search}
        toAddress={(text) => paths.sitePeople(site.name, { search: text })}
      />
      <Table
        label={t('site.people')}
        titles={[t('members.name'), t('members.label'), t('members.state'), t('members.actions')]}
        empty={search === '' ? t('members.none') : t('members.noneFound', { text: search })}
        next={
          members.next === null ? undefined : paths.sitePeople(site.name, { search, after: members.next })
        }
      >
        {members.items.map((member) => (
          <Row
            key={member.userId}
            name={member.userName}
            head={<MemberName member={member} />}
            below={belowOf(member)}
          >
            <Cell>{member.clientEntitlement && <bdi>{member.clientEntitlement}</bdi>}</Cell>
            <Cell>
              <MemberState member={member} />
            </Cell>
            <Cell>
              <MemberActions
                member={member}
                doing={doing}
                onResult={setResult}
                onOpen={open}
                onClose={close}
              />
            </Cell>
          </Row>
        ))}
      </Table>
    </SitePage>
  );
}

function ResultNote({ result: { text, undo } }: { result: Result }) {
  return (
    <Note key={text} kind="done" takesFocus>
      <p>{text}</p>
      {undo && (
        <Button variant="secondary" onPress={undo}>
          {t('forms.undo')}
        </Button>
      )}
    </Note>
  );
}
