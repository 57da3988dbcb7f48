import { Form as RouterForm, useLoaderData } from 'react-router';
import type { LoaderFunctionArgs } from 'react-router';
import type { ListAnswer as PageOf } from '../../../../identity/src/manage/answers.ts';
import type { ListedEvent } from '../../../../identity/src/admin/audit.ts';
import { get } from '../../api.ts';
import { useMe } from '../../me.ts';
import { paths, serviceAddresses } from '../../paths.ts';
import { t } from '../../texts/texts.ts';
import { AuditTable } from '../../ui/audit/AuditTable.tsx';
import { Button } from '../../ui/button/Button.tsx';
import { SelectField, TextField } from '../../ui/form/Form.tsx';
import { Page } from '../../ui/page/Page.tsx';
import styles from './audit.module.css';

const filterNames = ['user', 'site', 'event', 'result', 'since', 'until', 'correlation'] as const;
type Filters = Partial<Record<(typeof filterNames)[number], string>>;

export async function loader({ request }: LoaderFunctionArgs) {
  const { searchParams } = new URL(request.url);
  const given = filterNames.flatMap((name) => {
    const value = searchParams.get(name)?.trim();
    return value ? [[name, value]] : [];
  });
  const filters = Object.fromEntries(given) as Filters;
  const after = searchParams.get('after') ?? '';
  return { filters, audit: await get<PageOf<ListedEvent>>('audit', { ...filters, after }, request.signal) };
}

/** Who did what. The filters stand in the address, so that a link shows the same events. */
export function Component() {
  const { filters, audit } = useLoaderData<typeof loader>();
  const me = useMe();
  const choices = (values: readonly string[]): { value: string; text: string }[] => [
    { value: '', text: t('audit.all') },
    ...values.map((value) => ({ value, text: value })),
  ];
  return (
    <Page
      title={t('nav.audit')}
      actions={
        <>
          <a href={serviceAddresses.auditExport({ ...filters, format: 'csv' })} download>
            {t('audit.exportCsv')}
          </a>
          <a href={serviceAddresses.auditExport({ ...filters, format: 'ndjson' })} download>
            {t('audit.exportJson')}
          </a>
        </>
      }
    >
      <search>
        <RouterForm key={JSON.stringify(filters)} className={styles.filters} action={paths.audit()}>
          <TextField name="user" label={t('audit.user')} defaultValue={filters.user} />
          <TextField name="site" label={t('audit.site')} defaultValue={filters.site} />
          <SelectField
            name="event"
            label={t('audit.event')}
            choices={choices(me.audit.events)}
            defaultValue={filters.event}
          />
          <SelectField
            name="result"
            label={t('audit.result')}
            choices={choices(['success', 'failure'])}
            defaultValue={filters.result}
          />
          <TextField
            name="since"
            label={t('audit.since')}
            hint={t('audit.timeHint')}
            defaultValue={filters.since}
          />
          <TextField
            name="until"
            label={t('audit.until')}
            hint={t('audit.timeHint')}
            defaultValue={filters.until}
          />
          <TextField name="correlation" label={t('audit.correlation')} defaultValue={filters.correlation} />
          <Button isSubmit>{t('audit.show')}</Button>
        </RouterForm>
      </search>
      <AuditTable audit={audit} isTechnical next={(after) => paths.audit({ ...filters, after })} />
    </Page>
  );
}
