import { useState } from 'react';
import { Link } from 'react-router';
import type { Operation } from '../../../../identity/src/admin/permissions.ts';
import type { ListAnswer as Page } from '../../../../identity/src/manage/answers.ts';
import type { MemberItem, RoleItem } from '../../answers.ts';
import { change, get } from '../../api.ts';
import { asText } from '../../as-text.ts';
import { may, useMe } from '../../me.ts';
import { nameOf } from '../../names.ts';
import { apiPath, paths } from '../../paths.ts';
import { useProof } from '../../proof.ts';
import { t } from '../../texts/texts.ts';
import { Button } from '../../ui/button/Button.tsx';
import { Conflicts } from '../../ui/form/Conflicts.tsx';
import { Form, TextField } from '../../ui/form/Form.tsx';
import { ProblemNote } from '../../ui/note/ProblemNote.tsx';
import { FormPanel, useEscape } from '../../ui/panel/Panel.tsx';
import { useChange } from '../../use-change.ts';
import { useMerge } from '../../use-merge.ts';
import styles from './site.module.css';

/** What was done to a member, shown below the row, or above the list if the row is gone. */
export type Result = { userId?: string; text: string; undo?: () => void };

type MemberActionsProps = {
  member: MemberItem;
  doing: string | undefined;
  onResult: (result: Result) => void;
  onOpen: (name: string, operation: Operation) => void;
  onClose: () => void;
};

/** The likely action of a row as a button, the others behind "More". */
export function MemberActions({ member, doing, onResult, onOpen, onClose }: MemberActionsProps) {
  const me = useMe();
  const { run, isRunning, error } = useChange();
  const { userId, invitation, site } = member;
  const isOpen = doing === userId;
  const isInvited = invitation.state === 'pending' || invitation.state === 'expired';

  async function sendAgain(): Promise<void> {
    const body = { language: document.documentElement.lang };
    const sent = await run(() =>
      change<{ sentTo: string }>('POST', `${apiPath('users', userId)}/invite`, { body }),
    );
    if (sent) onResult({ userId, text: t('members.sentAgain', { email: sent.sentTo }) });
  }

  return (
    <div className={styles.actions}>
      {isInvited && may(me, 'users:help') && (
        <Button variant="secondary" isPending={isRunning} onPress={() => void sendAgain()}>
          {t('members.sendAgain')}
        </Button>
      )}
      {may(me, 'members:write', site) && (
        <Button
          variant="quiet"
          opens={userId}
          isExpanded={isOpen}
          label={t('forms.actions', { name: nameOf(member) })}
          onPress={() => (isOpen ? onClose() : onOpen(userId, 'members:write'))}
        >
          {t('members.more')}
        </Button>
      )}
      {error && <ProblemNote error={error} />}
    </div>
  );
}

type MemberPanelProps = { member: MemberItem; onResult: (result: Result) => void; onClose: () => void };

/** Everything that the board office can do with a member. */
export function MemberPanel({ member, onResult, onClose }: MemberPanelProps) {
  const me = useMe();
  const isReady = useProof();
  const { run, isRunning, error } = useChange();
  useEscape(onClose);
  const [isAsking, setAsking] = useState(false);
  const { userId, site, clientEntitlement, entitlementRequirementsMet, isAdministrator } = member;
  const name = nameOf(member);
  const path = apiPath('sites', site, 'members', userId);
  const { shown, conflicts, save } = useMerge(path, { entry: member, etag: undefined });

  async function remove(): Promise<void> {
    const removed = await run(() => change('DELETE', path, { etag: '*' }));
    if (removed !== undefined)
      onResult({ userId, text: t('members.removed', { name }), undo: () => void restore() });
  }

  /** With the same label and state as before. */
  async function restore(): Promise<void> {
    const body = { userName: userId, clientEntitlement, entitlementRequirementsMet };
    const restored = await run(() => change('POST', `${apiPath('sites', site)}/members`, { body }));
    if (restored !== undefined) onResult({ userId, text: t('members.restored', { name }) });
  }

  async function saveLabel(values: Readonly<Record<string, string>>): Promise<void> {
    const patch = { clientEntitlement: values['clientEntitlement'] || null };
    const saved = await run(() => save(patch, values));
    if (saved !== undefined) onResult({ userId, text: t('forms.saved') });
  }

  async function addToOffice(): Promise<void> {
    const body = { role: 'administrator', userName: userId, site };
    const added = await run(() => change('POST', 'roles', { body }));
    if (added !== undefined) onResult({ userId, text: t('members.inOffice', { name }) });
  }

  async function removeFromOffice(): Promise<void> {
    const removed = await run(async () => {
      const { items } = await get<Page<RoleItem>>('roles', { role: 'administrator', site, user: userId });
      for (const { id } of items) await change('DELETE', apiPath('roles', id), { etag: '*' });
      return items;
    });
    if (removed) onResult({ userId, text: t('members.notInOffice', { name }) });
  }

  if (isAsking)
    return (
      <FormPanel
        title={t('members.fromOffice')}
        submitLabel={t('members.fromOffice')}
        isDangerous
        onSubmit={() => void removeFromOffice()}
        onCancel={() => setAsking(false)}
        isRunning={isRunning}
        error={error}
      >
        <p>{t('members.fromOfficeQuestion', { name })}</p>
      </FormPanel>
    );
  return (
    <div className={styles.member}>
      <div className={styles.actions}>
        <Link to={paths.user(userId, { site })}>{t('members.page')}</Link>
        {may(me, 'roles:write', site) && (
          <Button
            variant="secondary"
            isPending={isRunning}
            onPress={() => {
              if (!isReady('roles:write')) return;
              if (isAdministrator) setAsking(true);
              else void addToOffice();
            }}
          >
            {isAdministrator ? t('members.fromOffice') : t('members.toOffice')}
          </Button>
        )}
        <Button variant="danger" isPending={isRunning} onPress={() => void remove()}>
          {t('members.remove')}
        </Button>
      </div>
      <Form
        fields={['clientEntitlement']}
        submitLabel={t('forms.save')}
        error={error}
        isRunning={isRunning}
        onCancel={onClose}
        onSubmit={(values) => void saveLabel(values)}
      >
        <Conflicts conflicts={conflicts} labelOf={() => t('members.label')} />
        <TextField
          name="clientEntitlement"
          label={t('members.label')}
          hint={t('members.labelHint')}
          defaultValue={asText(shown['clientEntitlement'])}
        />
      </Form>
    </div>
  );
}
