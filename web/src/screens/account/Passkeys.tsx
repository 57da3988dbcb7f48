import { passkeyNameMaximumLength } from '@anteroom/contract';
import { useEffect, useRef, useState } from 'react';
import type { ReactNode } from 'react';
import type { PresentAccount } from '../../api/account-client.ts';
import type { MessageKey } from '../../i18n/keys.ts';
import { useLanguage } from '../../i18n/language.ts';
import { Alert } from '../../ui/alert/Alert.tsx';
import { SubmitButton } from '../../ui/button/Button.tsx';
import { TextField } from '../../ui/field/TextField.tsx';
import { Form, FormActions } from '../../ui/form/Form.tsx';
import { ActionButton } from '../../ui/link/ActionButton.tsx';
import { VisuallyHidden } from '../../ui/text/LiveRegion.tsx';
import { textOf } from '../form-data.ts';
import { createPasskey } from '../passkey-ceremonies.ts';
import type { PasskeyProblem } from '../passkey-ceremonies.ts';
import { useProblem } from '../use-problem.ts';
import { useAccount } from './account-context.ts';
import styles from './account.module.css';
import { formatMoment } from './format-moment.ts';
import { Section, SectionActions } from './Section.tsx';

type Passkey = NonNullable<PresentAccount['passkeys']>[number];
type Open = { id: string; form: 'rename' | 'remove' };

const problems: Partial<Record<PasskeyProblem, MessageKey>> = {
  exists: 'account.passkeys.exists',
  unsupported: 'account.passkeys.unsupported',
};

/** The user's passkeys, each with forms to rename and remove it. */
export function Passkeys(): ReactNode {
  const { t } = useLanguage();
  const { account, api, changes } = useAccount();
  const { passkeys = [], mayAddPasskey } = account;
  const [open, setOpen] = useState<Open>();
  const problem = useProblem<MessageKey>();
  const place = useRef<HTMLDivElement>(null);
  if (passkeys.length === 0 && !mayAddPasskey) return undefined;

  const show = (form: Open | undefined): void => {
    problem.clear();
    setOpen(form);
    // Focuses the list, because the focused button has disappeared.
    if (form === undefined) place.current?.focus();
  };

  const add = (): void => {
    show(undefined);
    let found: PasskeyProblem | undefined;
    void changes.make(
      async () => {
        const result = await createPasskey({
          begin: () => api.call('beginAccountPasskey', { body: {} }),
          keep: (credential) => api.call('addAccountPasskey', { body: { credential } }),
        });
        if ('name' in result) return { ok: true, answer: result };
        if ('failure' in result) return { ok: false, failure: result.failure };
        found = result.problem;
        return { ok: false, failure: { kind: 'handled' } };
      },
      {
        done: 'account.passkeys.added',
        failed: () => {
          if (found !== undefined) problem.show(problems[found] ?? 'account.passkeys.notAdded');
          return found !== undefined;
        },
      },
    );
  };

  const rename = async (id: string, name: string): Promise<void> => {
    const isMade = await changes.make(() => api.call('renameAccountPasskey', { body: { id, name } }), {
      done: 'account.passkeys.renamed',
    });
    if (isMade) show(undefined);
  };

  const remove = async (id: string): Promise<void> => {
    const isMade = await changes.make(() => api.call('removeAccountPasskey', { body: { id } }), {
      done: 'account.passkeys.removed',
      failed: ({ code }) => {
        if (code === 'site_requires_mfa') problem.show('account.passkeys.lastFactor');
        return code === 'site_requires_mfa';
      },
    });
    if (isMade) show(undefined);
  };

  return (
    <Section heading={t('account.passkeys.heading')}>
      <div className={styles.place} ref={place} tabIndex={-1}>
        <p className={styles.detail}>{t('account.passkeys.description')}</p>
        <Alert message={problem.message && t(problem.message)} occurrence={problem.occurrence} />
        {passkeys.length > 0 && (
          <ul className={styles.rows}>
            {passkeys.map((passkey) => (
              <li key={passkey.id} data-passkey>
                <Described passkey={passkey} />
                {open?.id === passkey.id ? (
                  <ChangeForm
                    passkey={passkey}
                    form={open.form}
                    isPending={changes.isSending}
                    onRename={(name) => void rename(passkey.id, name)}
                    onRemove={() => void remove(passkey.id)}
                    onCancel={() => show(undefined)}
                  />
                ) : (
                  <div className={styles.actions}>
                    <ActionButton
                      action="rename-passkey"
                      onPress={() => show({ id: passkey.id, form: 'rename' })}
                    >
                      {t('account.passkeys.rename')}
                      <VisuallyHidden> {passkey.name}</VisuallyHidden>
                    </ActionButton>
                    <ActionButton
                      action="remove-passkey"
                      onPress={() => show({ id: passkey.id, form: 'remove' })}
                    >
                      {t('account.passkeys.remove')}
                      <VisuallyHidden> {passkey.name}</VisuallyHidden>
                    </ActionButton>
                  </div>
                )}
              </li>
            ))}
          </ul>
        )}
      </div>
      {mayAddPasskey && (
        <SectionActions>
          <ActionButton action="create-passkey" onPress={add}>
            {t('account.passkeys.add')}
          </ActionButton>
        </SectionActions>
      )}
    </Section>
  );
}

function Described({ passkey: { name, createdAt, lastUsedAt } }: { passkey: Passkey }): ReactNode {
  const { t, locale } = useLanguage();
  return (
    <div>
      <bdi>{name}</bdi>
      <p className={styles.detail}>
        {t('account.passkeys.created', { date: formatMoment(createdAt, locale) })}
      </p>
      <p className={styles.detail}>
        {lastUsedAt === undefined
          ? t('account.passkeys.unused')
          : t('account.passkeys.used', { date: formatMoment(lastUsedAt, locale) })}
      </p>
    </div>
  );
}

interface ChangeFormProps {
  passkey: Passkey;
  form: Open['form'];
  isPending: boolean;
  onRename: (name: string) => void;
  onRemove: () => void;
  onCancel: () => void;
}

/** Requests a new name, or a confirmation of the removal. */
function ChangeForm({ passkey, form, isPending, onRename, onRemove, onCancel }: ChangeFormProps): ReactNode {
  const { t } = useLanguage();
  const [isNameWrong, setNameWrong] = useState(false);
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    place.current?.querySelector<HTMLElement>('input, [tabindex="-1"]')?.focus();
  }, [form]);

  const submit = (data: FormData): void => {
    if (form === 'remove') return onRemove();
    const name = textOf(data, 'name').trim();
    const isWrong = name === '' || name.length > passkeyNameMaximumLength;
    setNameWrong(isWrong);
    if (isWrong) place.current?.querySelector('input')?.focus();
    else onRename(name);
  };

  return (
    <div className={styles.change} ref={place}>
      <Form onSubmit={submit}>
        {form === 'rename' ? (
          <TextField
            label={t('account.passkeys.name')}
            name="name"
            defaultValue={passkey.name}
            autoComplete="off"
            error={isNameWrong ? t('account.passkeys.nameRequired') : undefined}
          />
        ) : (
          <p tabIndex={-1}>{t('account.passkeys.removeQuestion')}</p>
        )}
        <FormActions>
          <SubmitButton isPending={isPending}>
            {t(form === 'rename' ? 'account.passkeys.save' : 'account.passkeys.remove')}
          </SubmitButton>
          <ActionButton action="cancel" onPress={onCancel}>
            {t('common.cancel')}
          </ActionButton>
        </FormActions>
      </Form>
    </div>
  );
}
