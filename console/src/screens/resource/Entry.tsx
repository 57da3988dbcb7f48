import { useState } from 'react';
import type { ReactNode } from 'react';
import { useLoaderData, useNavigate } from 'react-router';
import type { LoaderFunctionArgs } from 'react-router';
import { change, getEntry } from '../../api.ts';
import { asText } from '../../as-text.ts';
import { useDoing } from '../../doing.ts';
import { currentMe, may, useMe } from '../../me.ts';
import { paths } from '../../paths.ts';
import { t } from '../../texts/texts.ts';
import { Button } from '../../ui/button/Button.tsx';
import { Note } from '../../ui/note/Note.tsx';
import { ProblemNote } from '../../ui/note/ProblemNote.tsx';
import type { TestAnswer } from '../../ui/outcome/faults.ts';
import { Page } from '../../ui/page/Page.tsx';
import { SitePage } from '../../ui/page/SitePage.tsx';
import { useChange } from '../../use-change.ts';
import { useProof } from '../../proof.ts';
import { ConnectionSecret } from './ConnectionSecret.tsx';
import { EntryForm } from './EntryForm.tsx';
import { RemoveEntry } from './RemoveEntry.tsx';
import { Secret } from './Secret.tsx';
import { apiPathOf, mayChange, requireResource } from './resource.ts';
import type { Entry } from './resource.ts';

export { shouldRevalidate } from '../../doing.ts';

export async function loader({ params }: LoaderFunctionArgs) {
  const resource = requireResource(await currentMe(), params['resource'] ?? 'sites');
  const name = params['name'] ?? params['site'] ?? '';
  return { resource, name, ...(await getEntry<Entry>(apiPathOf(resource, name))) };
}

/** All settings of an entry. */
export function Component() {
  const { resource, name, entry, etag } = useLoaderData<typeof loader>();
  const me = useMe();
  const navigate = useNavigate();
  const { doing, open, close } = useDoing();
  const isWritable = mayChange(me, resource);
  const { remove } = resource;
  const title = asText(entry['displayName']) || name;
  const own = useEntryAction(resource.name, apiPathOf(resource, name));
  const actions = (
    <>
      {own.button}
      {isWritable && doing !== 'edit' && (
        <Button opens="edit" onPress={() => open('edit', resource.change)}>
          {t('resource.change')}
        </Button>
      )}
      {remove !== null && may(me, remove) && (
        <Button variant="danger" opens="remove" onPress={() => open('remove', remove)}>
          {t('resource.remove')}
        </Button>
      )}
    </>
  );
  const content = (
    <>
      {own.result}
      {doing === 'remove' && (
        <RemoveEntry
          path={apiPathOf(resource, name)}
          etag={etag}
          onCancel={close}
          onRemoved={() => void navigate(paths.resource(resource.name))}
        />
      )}
      {resource.name === 'connections' && entry['kind'] === 'openid' && (
        <ConnectionSecret path={apiPathOf(resource, name)} entry={entry} />
      )}
      <EntryForm
        resource={resource}
        path={apiPathOf(resource, name)}
        stored={{ entry, etag }}
        isReadOnly={!isWritable || doing !== 'edit'}
      />
    </>
  );
  if (resource.name === 'sites')
    return (
      <SitePage key={name} site={{ name, displayName: title }} actions={actions}>
        {content}
      </SitePage>
    );
  return (
    <Page key={name} title={title} actions={actions}>
      {content}
    </Page>
  );
}

/** A connection can be tested; an application can get a new secret. The result stands below the actions. */
function useEntryAction(resource: string, path: string): { button: ReactNode; result: ReactNode } {
  const me = useMe();
  const isReady = useProof();
  const { run, isRunning, error } = useChange();
  const [findings, setFindings] = useState<TestAnswer['findings']>();
  const [secret, setSecret] = useState<string>();

  const test = async (): Promise<void> => {
    const tested = await run(() => change<TestAnswer>('POST', `${path}/test`));
    setFindings(tested?.findings);
  };
  const renew = async (): Promise<void> => {
    const renewed = await run(() => change<{ secret: string }>('POST', `${path}/secret`));
    setSecret(renewed?.secret);
  };
  const button =
    resource === 'connections' ? (
      <Button variant="secondary" isPending={isRunning} onPress={() => void test()}>
        {t('connections.test')}
      </Button>
    ) : (
      resource === 'clients' &&
      may(me, 'clients:write') && (
        <Button
          variant="secondary"
          isPending={isRunning}
          onPress={() => {
            if (isReady('clients:write')) void renew();
          }}
        >
          {t('resource.newSecret')}
        </Button>
      )
    );
  const result = (
    <>
      {error && <ProblemNote error={error} />}
      {secret !== undefined && (
        <Note kind="done" takesFocus>
          <Secret value={secret} />
        </Note>
      )}
      {findings && (
        <Note kind={findings.every(({ ok }) => ok) ? 'done' : 'error'} takesFocus>
          <ul>
            {findings.map(({ check, ok, detail }) => (
              <li key={check}>{`${ok ? '✓' : '✗'} ${check}: ${detail}`}</li>
            ))}
          </ul>
        </Note>
      )}
    </>
  );
  return { button, result };
}
