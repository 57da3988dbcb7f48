import { useLoaderData } from 'react-router';
import type { LoaderFunctionArgs } from 'react-router';
import type { ListAnswer as Page } from '../../../../identity/src/manage/answers.ts';
import type { ListedEvent } from '../../../../identity/src/admin/audit.ts';
import { get } from '../../api.ts';
import { apiPath, paths } from '../../paths.ts';
import { AuditTable } from '../../ui/audit/AuditTable.tsx';
import { SitePage } from '../../ui/page/SitePage.tsx';

export async function loader({ params, request }: LoaderFunctionArgs) {
  const name = params['site'] ?? '';
  const after = new URL(request.url).searchParams.get('after') ?? '';
  const [site, audit] = await Promise.all([
    get<{ name: string; displayName: string }>(apiPath('sites', name), {}, request.signal),
    get<Page<ListedEvent>>('audit', { site: name, after }, request.signal),
  ]);
  return { site, audit };
}

/** What happened at a site, latest first. */
export function Component() {
  const { site, audit } = useLoaderData<typeof loader>();
  return (
    <SitePage key={site.name} site={site}>
      <AuditTable audit={audit} next={(after) => paths.siteActivity(site.name, { after })} />
    </SitePage>
  );
}
