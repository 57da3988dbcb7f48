import { useState } from 'react';
import { useLoaderData } from 'react-router';
import type { LoaderFunctionArgs } from 'react-router';
import type { Outcome } from '../../answers.ts';
import { upload } from '../../api.ts';
import { currentMe } from '../../me.ts';
import { t } from '../../texts/texts.ts';
import { Button } from '../../ui/button/Button.tsx';
import { CheckboxField } from '../../ui/form/Form.tsx';
import { Note } from '../../ui/note/Note.tsx';
import { ProblemNote } from '../../ui/note/ProblemNote.tsx';
import { Page } from '../../ui/page/Page.tsx';
import { Cell, Row, Table } from '../../ui/table/Table.tsx';
import { useChange } from '../../use-change.ts';
import { useRequiredProof } from '../../use-required-proof.ts';
import { labelOf, requireResource } from './resource.ts';
import styles from './resource.module.css';

export async function loader({ params }: LoaderFunctionArgs) {
  return requireResource(await currentMe(), params['resource']);
}

type Chosen = { name: string; type: string; text: string };

const types: Readonly<Record<string, string>> = {
  csv: 'text/csv',
  json: 'application/json',
  ndjson: 'application/x-ndjson',
};

/** A file is checked as soon as it is chosen; writing it is a second press. */
export function Component() {
  const resource = useLoaderData<typeof loader>();
  const { name } = resource;
  const { run, isRunning, error } = useChange();
  const [chosen, setChosen] = useState<Chosen>();
  const [mayUpdate, setMayUpdate] = useState(false);
  const [outcome, setOutcome] = useState<{ isDone: boolean; found: Outcome }>();
  useRequiredProof(resource.change);

  async function send(
    file: Chosen,
    { update, isDryRun }: { update: boolean; isDryRun: boolean },
  ): Promise<void> {
    setOutcome(undefined);
    const query = { ...(update && { update: 'true' }), ...(isDryRun && { 'dry-run': 'true' }) };
    const found = await run(() =>
      upload<Outcome>(`${name}/import`, { file: file.text, type: file.type, query }),
    );
    if (found) setOutcome({ isDone: !isDryRun, found });
  }

  async function choose(file: File | undefined): Promise<void> {
    if (!file) return;
    const ending = file.name.split('.').at(-1)?.toLowerCase() ?? '';
    const next = { name: file.name, type: types[ending] ?? 'text/csv', text: await file.text() };
    setChosen(next);
    await send(next, { update: mayUpdate, isDryRun: true });
  }

  const lines = error?.problem.errors ?? [];
  return (
    <Page title={t('resource.importTitle', { what: labelOf(name).toLowerCase() })}>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- dropping a file is another way to fill the input */}
      <label
        className={styles.drop}
        onDragOver={(event) => event.preventDefault()}
        onDrop={(event) => {
          event.preventDefault();
          void choose(event.dataTransfer.files[0]);
        }}
      >
        {t('resource.file')}
        <input
          type="file"
          accept=".csv,.json,.ndjson"
          onChange={({ target }) => {
            void choose(target.files?.[0]);
          }}
        />
      </label>
      <CheckboxField
        name="update"
        label={t('resource.update')}
        onChange={(isChecked) => {
          setMayUpdate(isChecked);
          if (chosen) void send(chosen, { update: isChecked, isDryRun: true });
        }}
      />
      {error && lines.length === 0 && <ProblemNote error={error} />}
      {lines.length > 0 && (
        <>
          <Note kind="error">
            <p>{t('resource.faults', { count: error?.problem.count ?? lines.length })}</p>
          </Note>
          <Table
            label={t('resource.line')}
            titles={[t('resource.line'), t('resource.field'), t('resource.reason')]}
            empty=""
          >
            {lines.map(({ line, pointer, reason }) => (
              <Row key={`${line} ${pointer} ${reason}`} name={String(line)} head={line}>
                <Cell>{pointer?.slice(1)}</Cell>
                <Cell>
                  <span data-error>{reason}</span>
                </Cell>
              </Row>
            ))}
          </Table>
        </>
      )}
      {outcome && (
        <Note kind="done" takesFocus>
          <p>
            {t(outcome.isDone ? 'resource.written' : 'resource.wouldWrite', {
              added: outcome.found.added.length,
              changed: outcome.found.changed.length,
              unchanged: outcome.found.unchanged.length,
            })}
          </p>
        </Note>
      )}
      {outcome && !outcome.isDone && chosen && (
        <div>
          <Button
            isPending={isRunning}
            onPress={() => void send(chosen, { update: mayUpdate, isDryRun: false })}
          >
            {t('resource.write')}
          </Button>
        </div>
      )}
    </Page>
  );
}
