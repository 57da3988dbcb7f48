import type { ReactNode } from 'react';
import { may, useMe } from '../../me.ts';
import { paths } from '../../paths.ts';
import { t } from '../../texts/texts.ts';
import { Page } from './Page.tsx';

type SitePageProps = {
  site: { name: string; displayName: string };
  actions?: ReactNode;
  children: ReactNode;
};

/** The tabs of a site; those that the actor may not read are not there. */
export function SitePage({ site: { name, displayName }, actions, children }: SitePageProps) {
  const me = useMe();
  const links = [
    { to: paths.sitePeople(name), text: t('site.people'), operation: 'members:read' },
    { to: paths.siteSignIn(name), text: t('site.signIn'), operation: 'connections:read' },
    { to: paths.siteActivity(name), text: t('site.activity'), operation: 'audit:read' },
  ] as const;
  const shown = links
    .filter(({ operation }) => may(me, operation, name))
    .map(({ to, text }) => ({ to, text }));
  if (may(me, 'sites:write')) shown.push({ to: paths.siteSettings(name), text: t('resource.allSettings') });
  return (
    <Page
      title={displayName}
      actions={actions}
      tabs={{
        label: t('frame.sections', { site: displayName }),
        links: shown,
      }}
    >
      {children}
    </Page>
  );
}
