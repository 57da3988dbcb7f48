import { useState } from 'react';
import { useLoaderData } from 'react-router';
import type { LoaderFunctionArgs } from 'react-router';
import type { ListAnswer as Page } from '../../../../identity/src/manage/answers.ts';
import { change, get } from '../../api.ts';
import { apiPath } from '../../paths.ts';
import { t } from '../../texts/texts.ts';
import { Button } from '../../ui/button/Button.tsx';
import { Note } from '../../ui/note/Note.tsx';
import { ProblemNote } from '../../ui/note/ProblemNote.tsx';
import { listFaults } from '../../ui/outcome/faults.ts';
import type { TestAnswer } from '../../ui/outcome/faults.ts';
import { Cell, Row, Table } from '../../ui/table/Table.tsx';
import { useChange } from '../../use-change.ts';
import { SitePage } from '../../ui/page/SitePage.tsx';

type Connection = {
  name: string;
  displayName: string;
  domains: string[];
  sites: string[];
  disabled: boolean;
};

export async function loader({ params, request }: LoaderFunctionArgs) {
  const name = params['site'] ?? '';
  const [site, { items }] = await Promise.all([
    get<{ name: string; displayName: string }>(apiPath('sites', name), {}, request.signal),
    get<Page<Connection>>('connections', { limit: '200' }, request.signal),
  ]);
  return { site, connections: items.filter(({ sites }) => sites.includes(name)) };
}

/** How the people of a site sign in: through a connection, or with passwords. */
export function Component() {
  const { site, connections } = useLoaderData<typeof loader>();
  return (
    <SitePage key={site.name} site={site}>
      <Table
        label={t('site.signIn')}
        titles={[t('connections.name'), t('connections.domains'), t('members.state'), t('members.actions')]}
        empty={t('connections.none')}
      >
        {connections.map((connection) => (
          <ConnectionRow key={connection.name} connection={connection} />
        ))}
      </Table>
    </SitePage>
  );
}

function ConnectionRow({ connection: { name, displayName, domains, disabled } }: { connection: Connection }) {
  const { run, isRunning, error } = useChange();
  const [faults, setFaults] = useState<readonly string[]>();
  const test = async (): Promise<void> => {
    const path = `${apiPath('connections', name)}/test`;
    const tested = await run(() => change<TestAnswer>('POST', path));
    setFaults(tested && listFaults(tested));
  };
  return (
    <Row
      name={name}
      head={<bdi>{displayName}</bdi>}
      below={
        error ? (
          <ProblemNote error={error} />
        ) : (
          faults && (
            <Note kind={faults.length === 0 ? 'done' : 'error'} takesFocus>
              {faults.length === 0
                ? t('connections.fine')
                : faults.map((fault) => <p key={fault}>{fault}</p>)}
            </Note>
          )
        )
      }
    >
      <Cell>
        <bdi>{domains.join(', ')}</bdi>
      </Cell>
      <Cell>{disabled ? t('connections.off') : t('connections.on')}</Cell>
      <Cell>
        <Button variant="secondary" isPending={isRunning} onPress={() => void test()}>
          {t('connections.test')}
        </Button>
      </Cell>
    </Row>
  );
}
