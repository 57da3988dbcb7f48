import { Link, useLoaderData } from 'react-router';
import type { LoaderFunctionArgs } from 'react-router';
import type { ListAnswer as PageOf } from '../../../../identity/src/manage/answers.ts';
import { get } from '../../api.ts';
import { asCell } from '../../as-text.ts';
import { currentMe, useMe } from '../../me.ts';
import { paths } from '../../paths.ts';
import { findText, t } from '../../texts/texts.ts';
import { Page } from '../../ui/page/Page.tsx';
import { SearchField } from '../../ui/search/SearchField.tsx';
import { Cell, Row, Table } from '../../ui/table/Table.tsx';
import { labelOf, mayChange, nameOfEntry, pageOf, requireResource } from './resource.ts';
import type { Entry } from './resource.ts';

/** `depth`: how far the entry is below the top of its group. */
type Listed = Entry & { depth?: number };

export async function loader({ params, request }: LoaderFunctionArgs) {
  const resource = requireResource(await currentMe(), params['resource']);
  const { searchParams } = new URL(request.url);
  const [search, after] = [searchParams.get('search') ?? '', searchParams.get('after') ?? ''];
  // Matches stand alone; without a search, an entry is followed by those below it.
  const tree = search === '' && 'tree' in resource.filters ? 'true' : '';
  const found = await get<PageOf<Listed>>(resource.name, { search, after, tree }, request.signal);
  return { resource, found, search };
}

/** The entries of a resource, made from its definition. */
export function Component() {
  const { resource, found, search } = useLoaderData<typeof loader>();
  const me = useMe();
  const { name, singular, keys } = resource;
  const columns = (resource.columns ?? Object.keys(resource.fields))
    .filter((column) => column !== keys[0])
    .slice(0, 5);
  const title = findText(`nav.${name}`) ?? labelOf(name);
  return (
    <Page
      key={name}
      title={title}
      actions={
        mayChange(me, resource) && (
          <>
            <Link to={paths.newEntry(name)}>{t('resource.new', { what: singular })}</Link>
            {resource.importable && <Link to={paths.importing(name)}>{t('resource.import')}</Link>}
          </>
        )
      }
    >
      {'search' in resource.filters && (
        <SearchField
          label={t('resource.search')}
          value={search}
          toAddress={(text) => paths.resource(name, { search: text })}
        />
      )}
      <Table
        label={title}
        titles={[keys[0] ?? '', ...columns].map(labelOf)}
        empty={search === '' ? t('resource.none') : t('home.noneFound', { text: search })}
        next={found.next === null ? undefined : paths.resource(name, { search, after: found.next })}
      >
        {found.items.map((entry) => {
          const entryName = nameOfEntry(resource, entry);
          return (
            <Row
              key={entryName}
              name={entryName}
              depth={entry.depth}
              head={<Link to={pageOf(resource, entryName)}>{entryName}</Link>}
            >
              {columns.map((column) => (
                <Cell key={column} title={labelOf(column)}>
                  {asCell(entry[column]) || undefined}
                </Cell>
              ))}
            </Row>
          );
        })}
      </Table>
    </Page>
  );
}
