import { useState } from 'react';
import { change } from '../../api.ts';
import { useDoing } from '../../doing.ts';
import { may, useMe } from '../../me.ts';
import { t } from '../../texts/texts.ts';
import { Button } from '../../ui/button/Button.tsx';
import { CheckboxField, TextField } from '../../ui/form/Form.tsx';
import { Note } from '../../ui/note/Note.tsx';
import { Section } from '../../ui/page/Page.tsx';
import { FormPanel } from '../../ui/panel/Panel.tsx';
import { formatTime } from '../../ui/time/Time.tsx';
import { useChange } from '../../use-change.ts';
import type { Entry } from './resource.ts';

/** Whether an OpenID connection has a client secret, and the form that replaces it. The service never shows the secret. */
export function ConnectionSecret({ path, entry }: { path: string; entry: Entry }) {
  const me = useMe();
  const { doing, open, close } = useDoing();
  const { run, isRunning, error, reset } = useChange();
  const [isSaved, setSaved] = useState(false);
  const { secret, secretChangedAt } = entry;

  const cancel = (): void => {
    reset();
    close();
  };
  const save = async ({ secret: typed = '', isPublic }: Readonly<Record<string, string>>): Promise<void> => {
    const body = { secret: isPublic === 'true' ? null : typed };
    if ((await run(() => change('POST', `${path}/secret`, { body }))) === undefined) return;
    close();
    setSaved(true);
  };
  return (
    <Section title={t('resource.clientSecret')}>
      {isSaved && (
        <Note kind="done" takesFocus>
          {t('forms.saved')}
        </Note>
      )}
      <p>
        {t(secret === 'none' ? 'resource.secretNone' : 'resource.secretStored')}
        {typeof secretChangedAt === 'string' &&
          ` ${t('resource.secretChanged', { time: formatTime(secretChangedAt) })}`}
      </p>
      {doing === 'secret' ? (
        <FormPanel
          title={t('resource.replaceSecret')}
          fields={['secret', 'isPublic']}
          submitLabel={t('forms.save')}
          error={error}
          isRunning={isRunning}
          onCancel={cancel}
          onSubmit={(values) => void save(values)}
        >
          <TextField name="secret" type="password" label={t('resource.clientSecret')} takesFocus />
          <CheckboxField name="isPublic" label={t('resource.publicClient')} />
        </FormPanel>
      ) : (
        may(me, 'connections:write') && (
          <div>
            <Button
              variant="secondary"
              opens="secret"
              onPress={() => {
                setSaved(false);
                open('secret', 'connections:write');
              }}
            >
              {t('resource.replaceSecret')}
            </Button>
          </div>
        )
      )}
    </Section>
  );
}
