import type { Openid } from '../openid/openid.ts';
import type { Allowances } from '../limits/allowances.ts';
import type { Services } from '../services.ts';
import type { BackgroundTasks } from './background-tasks.ts';
import type { Links } from './links-store.ts';

/** The dependencies of the recovery calls. */
export type RecoveryServices = Services & {
  allowances: Allowances;
  backgroundTasks: BackgroundTasks;
  links: Links;
  notifyApplications: Openid['notifyApplications'];
};
