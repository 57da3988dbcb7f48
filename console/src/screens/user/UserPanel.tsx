import type { ReactNode } from 'react';
import { useNavigate } from 'react-router';
import type { LostPhone } from '../../../../identity/src/admin/lost-phone.ts';
import type { Operation } from '../../../../identity/src/admin/permissions.ts';
import type { Removal } from '../../../../identity/src/admin/resource.ts';
import { change } from '../../api.ts';
import { asText } from '../../as-text.ts';
import { isOffice } from '../../me.ts';
import { nameOf } from '../../names.ts';
import { apiPath, paths } from '../../paths.ts';
import { t } from '../../texts/texts.ts';
import { Conflicts } from '../../ui/form/Conflicts.tsx';
import { TextField } from '../../ui/form/Form.tsx';
import { ProblemNote } from '../../ui/note/ProblemNote.tsx';
import { RemovalPlan } from '../../ui/outcome/RemovalPlan.tsx';
import { FormPanel, Panel } from '../../ui/panel/Panel.tsx';
import { useMerge } from '../../use-merge.ts';
import { usePlan } from '../../use-plan.ts';
import type { UserPage } from './use-user-page.ts';

type PanelOf = { operation?: Operation; Content: (props: { page: UserPage }) => ReactNode };

const panels: Readonly<Record<string, PanelOf>> = {
  'lost-phone': { operation: 'users:factors', Content: LostPhonePanel },
  details: { operation: 'users:write', Content: DetailsPanel },
  disable: { operation: 'users:write', Content: DisablePanel },
  remove: { operation: 'users:remove', Content: RemovePanel },
  // The service decides, because the board is not known yet.
  'add-membership': { Content: MembershipPanel },
};

/** What the open action asks for. An address can name an action that the actor may not do. */
export function UserPanel({ page }: { page: UserPage }) {
  const panel = page.doing === undefined ? undefined : panels[page.doing];
  if (panel === undefined || (panel.operation && !page.may(panel.operation))) return null;
  return <panel.Content page={page} />;
}

const formOf = ({ error, isRunning, close }: UserPage) => ({ error, isRunning, onCancel: close });

const removedTexts = {
  app: 'user.removesApp',
  passkeys: 'user.removesPasskeys',
  phone: 'user.removesPhone',
  computers: 'user.removesComputers',
} as const;

function LostPhonePanel({ page }: { page: UserPage }) {
  const { plan, error } = usePlan(() => page.post<LostPhone>('lost-phone', {}, true));
  if (plan === undefined)
    return (
      <Panel title={t('user.lostPhone')} onCancel={page.close}>
        {error && <ProblemNote error={error} />}
      </Panel>
    );
  return (
    <FormPanel
      {...formOf(page)}
      title={t('user.lostPhone')}
      fields={['phoneNumber']}
      submitLabel={t('problem.confirm')}
      isDangerous
      onSubmit={({ phoneNumber }) =>
        void page.act(
          () =>
            page.post('lost-phone', {
              language: document.documentElement.lang,
              ...(phoneNumber ? { phoneNumber } : {}),
            }),
          () => t('user.lostPhoneDone', { name: nameOf(page.entry) }),
        )
      }
    >
      <p>{plan.removed.length === 0 ? t('user.lostPhoneNothing') : t('user.lostPhoneQuestion')}</p>
      <ul>
        {plan.removed.map((what) => (
          <li key={what}>{t(removedTexts[what])}</li>
        ))}
      </ul>
      {plan.needsNumber && (
        <TextField
          name="phoneNumber"
          type="tel"
          label={t('user.newNumber')}
          hint={t('user.newNumberHint')}
          takesFocus
        />
      )}
    </FormPanel>
  );
}

const detailLabels = {
  firstName: 'members.firstName',
  lastName: 'members.lastName',
  email: 'members.email',
  phoneNumber: 'user.phoneNumber',
} as const;
type Detail = keyof typeof detailLabels;

function DetailsPanel({ page }: { page: UserPage }) {
  const { entry, etag, path } = page;
  const { shown, conflicts, save } = useMerge(path, { entry, etag });
  const labelOf = (name: string): string => t(detailLabels[name as Detail]);
  const fieldOf = (name: Detail) => ({ name, label: labelOf(name), defaultValue: asText(shown[name]) });
  const submit = (values: Readonly<Record<string, string>>): void => {
    const changed = Object.keys(detailLabels).filter((name) => values[name] !== asText(shown[name]));
    const patch = Object.fromEntries(changed.map((name) => [name, values[name] || null]));
    void page.act(
      () => save(patch, values),
      () => t('forms.saved'),
    );
  };
  return (
    <FormPanel
      {...formOf(page)}
      title={t('user.details')}
      fields={Object.keys(detailLabels)}
      submitLabel={t('forms.save')}
      onSubmit={submit}
    >
      <Conflicts conflicts={conflicts} labelOf={labelOf} />
      <TextField {...fieldOf('firstName')} takesFocus />
      <TextField {...fieldOf('lastName')} />
      <TextField
        {...fieldOf('email')}
        type="email"
        // An account that operators of the whole service give another address stays the person's.
        hint={isOffice(page.me) ? undefined : t('user.emailHint')}
      />
      <TextField {...fieldOf('phoneNumber')} type="tel" />
    </FormPanel>
  );
}

function DisablePanel({ page }: { page: UserPage }) {
  return (
    <FormPanel
      {...formOf(page)}
      title={t('user.disable')}
      submitLabel={t('user.disable')}
      isDangerous
      onSubmit={() =>
        void page.act(
          () => page.patch({ disabled: true }),
          () => t('user.disableDone'),
        )
      }
    >
      <p>{t('user.disableQuestion', { name: nameOf(page.entry) })}</p>
    </FormPanel>
  );
}

function MembershipPanel({ page }: { page: UserPage }) {
  return (
    <FormPanel
      {...formOf(page)}
      title={t('remedies.addMember')}
      fields={['site', 'clientEntitlement']}
      submitLabel={t('remedies.addMember')}
      onSubmit={({ site = '', clientEntitlement = '' }) =>
        void page.act(
          () =>
            change('POST', `${apiPath('sites', site)}/members`, {
              body: { userName: page.entry.id, clientEntitlement },
            }),
          () => t('remedies.done'),
        )
      }
    >
      <TextField name="site" label={t('user.site')} takesFocus defaultValue={page.me.sites[0]?.name} />
      <TextField name="clientEntitlement" label={t('members.label')} hint={t('members.labelHint')} />
    </FormPanel>
  );
}

/** With the true counts of the dry run, because nothing of it can be undone. */
function RemovePanel({ page }: { page: UserPage }) {
  const navigate = useNavigate();
  const { plan, error } = usePlan(() => page.remove<Removal>(true));
  return (
    <FormPanel
      {...formOf(page)}
      title={t('office.removeUser')}
      submitLabel={t('office.removeUser')}
      isDangerous
      isRunning={page.isRunning || plan === undefined}
      error={page.error ?? error}
      onSubmit={() =>
        void page.act(
          async () => {
            await page.remove(false);
            await navigate(paths.home());
          },
          () => '',
        )
      }
    >
      <RemovalPlan removal={plan} />
    </FormPanel>
  );
}
