import type { Openid } from '../openid/openid.ts';
import type { Allowances } from '../limits/allowances.ts';
import type { Services } from '../services.ts';
import type { BackgroundTasks } from './background-tasks.ts';
import type { Links } from './links-store.ts';

/** What the calls of recovery stand on. */
export type RecoveryServices = Services & {
  allowances: Allowances;
  backgroundTasks: BackgroundTasks;
  links: Links;
  tellApplications: Openid['tellApplications'];
};
