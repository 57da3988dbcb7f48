import { useRef } from 'react';
import type { AddedPerson } from '../../../../identity/src/admin/add-person.ts';
import { change } from '../../api.ts';
import { may, useMe } from '../../me.ts';
import { apiPath } from '../../paths.ts';
import { t } from '../../texts/texts.ts';
import { CheckboxField, TextField } from '../../ui/form/Form.tsx';
import { FormPanel } from '../../ui/panel/Panel.tsx';
import { useChange } from '../../use-change.ts';

type AddPersonProps = { site: string; onDone: (text: string) => void; onCancel: () => void };

/** The same for a person with and without an account: the form does not reveal which one it is. */
export function AddPerson({ site, onDone, onCancel }: AddPersonProps) {
  const me = useMe();
  const { run, isRunning, error } = useChange();
  // Added already, if the role alone was refused.
  const before = useRef<{ key: string; person: AddedPerson }>(undefined);

  async function add(values: Readonly<Record<string, string>>): Promise<void> {
    const { office, email = '', firstName = '', lastName = '', label = '' } = values;
    const body = { email, firstName, lastName, ...(label !== '' && { label }) };
    const key = JSON.stringify(body);
    const added = await run(async () => {
      const person =
        before.current?.key === key
          ? before.current.person
          : await change<AddedPerson>('POST', `${apiPath('sites', site)}/people`, { body });
      before.current = { key, person };
      if (office !== undefined)
        await change('POST', 'roles', { body: { role: 'administrator', userName: person.userId, site } });
      return person;
    });
    if (!added) return;
    const { name, mail } = added;
    if (mail === 'invitation') onDone(t('members.invited', { name, email }));
    else onDone(mail === 'welcome' ? t('members.welcomed', { name }) : t('forms.saved'));
  }

  return (
    <FormPanel
      title={t('members.add')}
      fields={['email', 'firstName', 'lastName', 'label']}
      submitLabel={t('members.send')}
      error={error}
      isRunning={isRunning}
      onCancel={onCancel}
      onSubmit={(values) => void add(values)}
    >
      <TextField name="email" type="email" label={t('members.email')} takesFocus />
      <TextField name="firstName" label={t('members.firstName')} />
      <TextField name="lastName" label={t('members.lastName')} />
      <TextField name="label" label={t('members.label')} hint={t('members.labelHint')} />
      {may(me, 'roles:write', site) && (
        <CheckboxField name="office" label={t('members.alsoOffice')} hint={t('members.officeHint')} />
      )}
    </FormPanel>
  );
}
