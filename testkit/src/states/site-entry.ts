import { both, context, unknownSite } from './contexts.ts';
import { errorNotice, faultyField, fill, submit, untilLoading } from './moves.ts';
import { statesOf } from './state.ts';

const enterSite = [fill('site', 'northwind'), submit];

export const siteEntryStates = statesOf('Site entry', 'site-entry', [
  { id: 'site-entry', name: 'site entry', set: unknownSite() },
  {
    id: 'site-entry-empty',
    name: 'site entry, left empty',
    set: unknownSite(),
    moves: [submit, faultyField],
  },
  {
    id: 'site-entry-unknown',
    name: 'site entry, unknown site',
    set: both(unknownSite(), ({ script }) => script.answer('getSiteExistence', { siteExists: false })),
    moves: [fill('site', 'nowhere'), submit, faultyField],
  },
  {
    id: 'site-entry-under-way',
    name: 'site entry, loading',
    set: both(unknownSite(), ({ script }) => void script.hold('getSiteExistence')),
    moves: [...enterSite, untilLoading],
  },
  {
    id: 'site-entry-unreachable',
    name: 'site entry, service unreachable',
    set: both(unknownSite(), ({ script }) => script.cut('getSiteExistence')),
    moves: [...enterSite, errorNotice],
  },
  {
    id: 'site-entry-without-recovery',
    name: 'site entry, without site recovery',
    set: unknownSite({ siteRecoveryClientUri: undefined }),
  },
  {
    id: 'site-entry-another',
    name: 'site entry, to another organisation',
    set: context({ promptMethod: 'switch_tenant' }),
  },
]);
