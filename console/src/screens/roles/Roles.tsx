import { useState } from 'react';
import { Link, useLoaderData } from 'react-router';
import type { LoaderFunctionArgs } from 'react-router';
import type { RoleName } from '../../../../identity/src/admin/permissions.ts';
import type { ListAnswer as PageOf } from '../../../../identity/src/manage/answers.ts';
import type { RoleItem } from '../../answers.ts';
import { change, get } from '../../api.ts';
import { useDoing } from '../../doing.ts';
import { apiPath, paths } from '../../paths.ts';
import { t } from '../../texts/texts.ts';
import { Button } from '../../ui/button/Button.tsx';
import { SelectField, TextField } from '../../ui/form/Form.tsx';
import { Note } from '../../ui/note/Note.tsx';
import { Page } from '../../ui/page/Page.tsx';
import { FormPanel } from '../../ui/panel/Panel.tsx';
import { Cell, Row, Table } from '../../ui/table/Table.tsx';
import { useChange } from '../../use-change.ts';

export { shouldRevalidate } from '../../doing.ts';

export async function loader({ request }: LoaderFunctionArgs) {
  const after = new URL(request.url).searchParams.get('after') ?? '';
  return await get<PageOf<RoleItem>>('roles', { after }, request.signal);
}

/** The role that reaches least comes first, because the form begins with it. */
const roleNames: readonly RoleName[] = ['administrator', 'auditor', 'support', 'owner'];

/** Who may do what. */
export function Component() {
  const roles = useLoaderData<typeof loader>();
  const { doing, open, close } = useDoing();
  const { run, isRunning, error, reset } = useChange();
  const [done, setDone] = useState<string>();

  async function finish(work: () => Promise<unknown>, text: string): Promise<void> {
    setDone(undefined);
    if ((await run(work)) === undefined) return;
    close();
    setDone(text);
  }
  const cancel = (): void => {
    reset();
    close();
  };

  return (
    <Page
      title={t('nav.roles')}
      actions={
        <Button opens="add" onPress={() => open('add', 'roles:write')}>
          {t('roles.add')}
        </Button>
      }
    >
      {done !== undefined && (
        <Note kind="done" takesFocus>
          {done}
        </Note>
      )}
      {doing === 'add' && (
        <FormPanel
          title={t('roles.add')}
          fields={['userName', 'role', 'site']}
          submitLabel={t('roles.add')}
          error={error}
          isRunning={isRunning}
          onCancel={cancel}
          onSubmit={({ userName, role, site }) =>
            void finish(
              () => change('POST', 'roles', { body: { userName, role, ...(site ? { site } : {}) } }),
              t('roles.added'),
            )
          }
        >
          <TextField name="userName" label={t('roles.user')} takesFocus />
          <SelectField
            name="role"
            label={t('roles.role')}
            choices={roleNames.map((value) => ({ value, text: value }))}
          />
          <TextField name="site" label={t('roles.site')} hint={t('roles.siteHint')} />
        </FormPanel>
      )}
      <Table
        label={t('nav.roles')}
        titles={[t('members.name'), t('roles.role'), t('roles.site'), t('members.actions')]}
        empty={t('resource.none')}
        next={roles.next === null ? undefined : paths.roles({ after: roles.next })}
      >
        {roles.items.map(({ id, userId, name, userName, role, site }) => (
          <Row
            key={id}
            name={`${userName} ${role} ${site ?? ''}`.trim()}
            head={
              <Link to={paths.user(userId)}>
                <bdi>{name || userName}</bdi>
              </Link>
            }
            below={
              doing === id && (
                <FormPanel
                  title={t('roles.remove')}
                  submitLabel={t('roles.remove')}
                  isDangerous
                  isRunning={isRunning}
                  error={error}
                  onCancel={cancel}
                  onSubmit={() =>
                    void finish(
                      () => change('DELETE', apiPath('roles', id), { etag: '*' }),
                      t('roles.removed'),
                    )
                  }
                >
                  <p>{t('roles.question', { name: name || userName })}</p>
                </FormPanel>
              )
            }
          >
            <Cell>{role}</Cell>
            <Cell>{site}</Cell>
            <Cell>
              <Button
                variant="secondary"
                opens={id}
                label={t('roles.removeOf', { name: name || userName, role })}
                onPress={() => open(id, 'roles:write')}
              >
                {t('roles.remove')}
              </Button>
            </Cell>
          </Row>
        ))}
      </Table>
    </Page>
  );
}
