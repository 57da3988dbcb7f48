import type { Noun } from '../noun.ts';
import { listSites, siteFilters } from './present-sites.ts';
import { planSites, writeSites } from './save-sites.ts';
import type { SitesPlan, SitesPrepared } from './save-sites.ts';
import { siteEntry, siteFieldSchemas, siteFields } from './site-entry.ts';
import type { SiteEntry } from './site-entry.ts';

/** The organisations that people sign in at. */
export const sites: Noun<SiteEntry, SitesPlan, SitesPrepared> = {
  name: 'sites',
  singular: 'site',
  summary: 'the organisations that people sign in at',
  keys: ['name'],
  fields: siteFields,
  schema: siteEntry,
  fieldSchemas: siteFieldSchemas,
  uniqueIn: ({ name }) => [{ column: 'name', key: name }],
  plan: planSites,
  prepare: ({ config }) => Promise.resolve({ ended: [], config }),
  write: writeSites,
  afterwards: async (bench, { ended }) => {
    if (ended.length > 0) await bench.tellApplications();
  },
  disabledAs: (isDisabled) => ({ disabled: isDisabled }),
  filters: siteFilters,
  list: listSites,
};
