import { useLoaderData } from 'react-router';
import type { LoaderFunctionArgs } from 'react-router';
import type { Story, UserEntry } from '../../answers.ts';
import { get, getEntry } from '../../api.ts';
import { nameOf } from '../../names.ts';
import { apiPath } from '../../paths.ts';
import { Page } from '../../ui/page/Page.tsx';
import { Actions } from './Actions.tsx';
import { Facts } from './Facts.tsx';
import { Events, Verdict } from './Story.tsx';
import { UserPanel } from './UserPanel.tsx';
import { useUserPage } from './use-user-page.ts';

export { shouldRevalidate } from '../../doing.ts';

export async function loader({ params, request }: LoaderFunctionArgs) {
  const id = params['id'] ?? '';
  const { searchParams } = new URL(request.url);
  const correlation = searchParams.get('correlation') ?? '';
  const site = searchParams.get('site') ?? '';
  const [user, story] = await Promise.all([
    getEntry<UserEntry>(apiPath('users', id)),
    get<Story>(`${apiPath('users', id)}/story`, { correlation, site }, request.signal),
  ]);
  return { ...user, story, correlation };
}

/** Why a user cannot sign in, what helps, and what the account has. */
export function Component() {
  const { entry, etag, story, correlation } = useLoaderData<typeof loader>();
  const page = useUserPage({ entry, etag });
  return (
    <Page
      key={entry.id}
      title={nameOf(entry)}
      subtitle={
        <p>
          <bdi>{entry.email ?? entry.userName}</bdi>
        </p>
      }
      actions={<Actions invitation={story.invitation} page={page} />}
    >
      <UserPanel key={page.doing} page={page} />
      <Verdict story={story} page={page} />
      <Events story={story} entry={entry} correlation={correlation} />
      <Facts story={story} page={page} />
    </Page>
  );
}
