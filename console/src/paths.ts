type Query = Readonly<Record<string, string | undefined>>;

function withQuery(path: string, query: Query): string {
  const given = Object.entries(query).filter(([, value]) => value !== undefined && value !== '');
  const search = new URLSearchParams(given as [string, string][]).toString();
  return search === '' ? path : `${path}?${search}`;
}

const segment = encodeURIComponent;

/** The addresses of the screens, below `/console`. */
export const paths = {
  home: (query: { search?: string } = {}): string => withQuery('/', query),
  user: (id: string, query: { correlation?: string | undefined; site?: string | undefined } = {}): string =>
    withQuery(`/users/${segment(id)}`, query),
  sitePeople: (site: string, query: Query = {}): string => withQuery(`/sites/${segment(site)}/people`, query),
  siteSignIn: (site: string): string => `/sites/${segment(site)}/sign-in`,
  siteActivity: (site: string, query: Query = {}): string =>
    withQuery(`/sites/${segment(site)}/activity`, query),
  siteSettings: (site: string): string => `/sites/${segment(site)}/settings`,
  /** The generic screens of a resource, for example of `connections`. */
  resource: (resource: string, query: Query = {}): string => withQuery(`/${resource}`, query),
  newEntry: (resource: string): string => `/new/${resource}`,
  entry: (resource: string, name: string): string => `/${resource}/${segment(name)}`,
  importing: (resource: string): string => `/import/${resource}`,
  audit: (query: Query = {}): string => withQuery('/audit', query),
  roles: (query: Query = {}): string => withQuery('/roles', query),
};

/** Addresses of the service outside the console, for links. */
export const serviceAddresses = {
  account: '/ui/account',
  signOut: '/connect/session/end',
  proof: (returnTo: string): string =>
    withQuery('/api/manage/proof', { return: returnTo.replace(/^\//, '') }),
  auditExport: (query: Query): string => withQuery('/api/manage/audit/export', query),
  userExport: (id: string): string => `/api/manage/users/${segment(id)}/export`,
};

/** The address of an entry in the API. */
export const apiPath = (...segments: readonly string[]): string => segments.map(segment).join('/');
