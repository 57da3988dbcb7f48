import { passkeyNameMaximumLength } from '@anteroom/contract';
import { typedName } from '@anteroom/contract/typed-names';
import { useEffect, useRef, useState } from 'react';
import type { ReactNode } from 'react';
import type { PresentAccount } from '../../api/account-client.ts';
import type { MessageKey } from '../../i18n/keys.ts';
import { useLanguage } from '../../i18n/language.ts';
import { Button, SubmitButton } from '../../ui/button/Button.tsx';
import { TextField } from '../../ui/field/TextField.tsx';
import { Form } from '../../ui/form/Form.tsx';
import { ButtonRow } from '../ButtonRow.tsx';
import { textOf } from '../form-data.ts';
import { createPasskey } from '../passkey-ceremonies.ts';
import type { PasskeyProblem } from '../passkey-ceremonies.ts';
import { useAccount } from './account-context.ts';
import { formatMoment } from '../../i18n/format-moment.ts';
import { hasPasswordWithoutCodes } from './next-step.ts';
import { Row } from './Row.tsx';

type Passkey = NonNullable<PresentAccount['passkeys']>[number];

const problems: Partial<Record<PasskeyProblem, MessageKey>> = {
  exists: 'account.passkeys.exists',
  unsupported: 'account.passkeys.unsupported',
};

/** The row for adding a passkey, which also shows the message after a removal, and a row for each passkey. */
export function Passkeys(): ReactNode {
  const { t } = useLanguage();
  const { account, api, changes } = useAccount();
  const { passkeys, mayAddPasskey, neededFactors = [] } = account;
  if (passkeys === undefined) return undefined;

  const add = (): void => {
    let found: PasskeyProblem | undefined;
    void changes.make(
      'passkeys',
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
        failed: () => found !== undefined && (problems[found] ?? 'account.passkeys.notAdded'),
      },
    );
  };

  const isNeeded = passkeys.length === 1 && neededFactors.includes('passkey');
  return (
    <>
      <Row
        id="passkeys"
        title={t('account.passkeys.heading')}
        facts={[
          t('account.passkeys.description'),
          ...(hasPasswordWithoutCodes(account) ? [t('account.passkeys.alone')] : []),
          ...(mayAddPasskey ? [] : [t('account.mayNotAdd')]),
        ]}
        actions={
          mayAddPasskey
            ? [
                {
                  action: 'create-passkey',
                  label: t('account.passkeys.create'),
                  of: t('account.summary.passkey'),
                  onPress: add,
                },
              ]
            : []
        }
      />
      {passkeys.map((passkey) => (
        <PasskeyRow passkey={passkey} isNeeded={isNeeded} key={passkey.id} />
      ))}
    </>
  );
}

function PasskeyRow({ passkey, isNeeded }: { passkey: Passkey; isNeeded: boolean }): ReactNode {
  const { t, locale } = useLanguage();
  const { api, changes } = useAccount();
  const { id, name, createdAt, lastUsedAt } = passkey;
  const [isNaming, setNaming] = useState(false);
  const row = `passkey ${id}`;

  const rename = async (newName: string): Promise<void> => {
    const isMade = await changes.make(
      row,
      () => api.call('renameAccountPasskey', { body: { id, name: newName } }),
      { done: 'account.passkeys.renamed' },
    );
    if (isMade) setNaming(false);
  };
  const remove = () =>
    changes.make(row, () => api.call('removeAccountPasskey', { body: { id } }), {
      done: 'account.passkeys.removed',
      doneAt: 'passkeys',
      refusals: { site_requires_mfa: 'account.passkeys.lastFactor' },
    });

  return (
    <Row
      id={row}
      isChild
      title={
        <bdi translate="no" data-passkey="">
          {name}
        </bdi>
      }
      facts={[
        t('account.passkeys.created', { date: formatMoment(createdAt, locale) }),
        lastUsedAt === undefined
          ? t('account.passkeys.unused')
          : t('account.passkeys.used', { date: formatMoment(lastUsedAt, locale) }),
      ]}
      actions={[
        {
          action: 'rename-passkey',
          label: t('account.passkeys.rename'),
          of: name,
          onPress: () => setNaming(true),
        },
      ]}
      removal={{
        isForbidden: isNeeded,
        action: 'remove-passkey',
        label: t('account.passkeys.remove'),
        of: name,
        question: 'account.passkeys.removeQuestion',
        confirm: 'account.remove',
        onConfirm: remove,
      }}
      form={
        isNaming ? (
          <NameForm
            name={name}
            onRename={(newName) => void rename(newName)}
            onCancel={() => setNaming(false)}
          />
        ) : undefined
      }
    />
  );
}

interface NameFormProps {
  name: string;
  onRename: (name: string) => void;
  onCancel: () => void;
}

function NameForm({ name, onRename, onCancel }: NameFormProps): ReactNode {
  const { t } = useLanguage();
  const { changes } = useAccount();
  const [isWrong, setWrong] = useState(false);
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => field.current?.focus(), []);

  const submit = (data: FormData): void => {
    const entered = textOf(data, 'name').trim();
    const isNowWrong = typedName(entered) === '' || entered.length > passkeyNameMaximumLength;
    setWrong(isNowWrong);
    if (isNowWrong) field.current?.focus();
    else onRename(entered);
  };

  return (
    <Form onSubmit={submit}>
      <TextField
        label={t('account.passkeys.name')}
        name="name"
        defaultValue={name}
        autoComplete="off"
        error={isWrong ? t('account.passkeys.nameRequired') : undefined}
        ref={field}
      />
      <ButtonRow>
        <SubmitButton isPending={changes.isSending}>{t('account.passkeys.save')}</SubmitButton>
        <Button action="cancel" variant="secondary" onPress={onCancel}>
          {t('common.cancel')}
        </Button>
      </ButtonRow>
    </Form>
  );
}
