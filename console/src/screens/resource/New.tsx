import { useState } from 'react';
import { Link, useLoaderData, useNavigate } from 'react-router';
import type { LoaderFunctionArgs } from 'react-router';
import type { Outcome } from '../../answers.ts';
import { change } from '../../api.ts';
import { currentMe } from '../../me.ts';
import { paths } from '../../paths.ts';
import { t } from '../../texts/texts.ts';
import { Form, TextField } from '../../ui/form/Form.tsx';
import { Note } from '../../ui/note/Note.tsx';
import { Page } from '../../ui/page/Page.tsx';
import { useChange } from '../../use-change.ts';
import { useRequiredProof } from '../../use-required-proof.ts';
import { Fields } from './Fields.tsx';
import { fromText, pageOf, requireResource } from './resource.ts';
import { Secret } from './Secret.tsx';

export async function loader({ params }: LoaderFunctionArgs) {
  return requireResource(await currentMe(), params['resource']);
}

/** A new entry. A site continues with its first person; an OpenID connection begins with its client secret. */
export function Component() {
  const resource = useLoaderData<typeof loader>();
  const { name, singular, fields, keys } = resource;
  const navigate = useNavigate();
  const { run, isRunning, error } = useChange();
  const [secret, setSecret] = useState<{ entry: string; value: string }>();
  useRequiredProof(resource.change);

  async function add(values: Readonly<Record<string, string>>): Promise<void> {
    const given = Object.entries(fields).flatMap(([field, description]): [string, unknown][] => {
      const value = fromText(description, values[field]);
      const isLeftOut = value === null || (Array.isArray(value) && value.length === 0);
      return isLeftOut || description.readOnly === true ? [] : [[field, value]];
    });
    const { secret: typed } = values;
    const body = { ...Object.fromEntries(given), ...(typed && { secret: typed }) };
    const outcome = await run(() => change<Outcome>('POST', name, { body }));
    if (!outcome) return;
    const entry = outcome.added[0] ?? outcome.unchanged[0] ?? values[keys[0] ?? ''] ?? '';
    const [value] = Object.values(outcome.secrets ?? {});
    if (value !== undefined) setSecret({ entry, value });
    else await navigate(name === 'sites' ? paths.sitePeople(entry, { do: 'add' }) : pageOf(resource, entry));
  }

  if (secret)
    return (
      <Page title={secret.entry}>
        <Note kind="done" takesFocus>
          <Secret value={secret.value} />
        </Note>
        <Link to={pageOf(resource, secret.entry)}>{secret.entry}</Link>
      </Page>
    );
  return (
    <Page title={t('resource.new', { what: singular })}>
      <Form
        fields={[...Object.keys(fields), 'secret']}
        submitLabel={t('resource.create')}
        takesFocus
        onCancel={() => void navigate(paths.resource(name))}
        error={error}
        isRunning={isRunning}
        onSubmit={(values) => void add(values)}
      >
        <Fields resource={resource} entry={{}} isNew />
        {name === 'connections' && (
          <TextField
            name="secret"
            type="password"
            label={t('resource.clientSecret')}
            hint={t('resource.secretHint')}
          />
        )}
      </Form>
    </Page>
  );
}
