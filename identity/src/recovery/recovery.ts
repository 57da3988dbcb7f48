import type { recoveryCalls } from '@anteroom/contract/recovery';
import type { Handlers } from '../http/implementation.ts';
import { createAllowances } from '../limits/allowances.ts';
import type { Openid } from '../openid/openid.ts';
import type { Services } from '../services.ts';
import { createGetRecoveryContext } from './context.ts';
import { createBackgroundTasks } from './background-tasks.ts';
import { createLinks } from './links-store.ts';
import { createOpenPasswordLink, createSetNewPassword } from './new-password.ts';
import { createRefuseChange } from './refuse-change.ts';
import { createSendPasswordLink } from './password-link.ts';
import type { RecoveryServices } from './recovery-services.ts';
import { createSendSiteNames } from './site-names.ts';

/** Forgotten passwords and forgotten sites, by mail. */
export type Recovery = {
  calls: Handlers<typeof recoveryCalls>;
  /** Does what was asked for and has not been done; for a service that stops, and for tests. */
  workOff: () => Promise<void>;
};

export function createRecovery(
  services: Services,
  { tellApplications }: Pick<Openid, 'tellApplications'>,
): Recovery {
  const { keys, log } = services;
  const backgroundTasks = createBackgroundTasks(log);
  const own: RecoveryServices = {
    ...services,
    backgroundTasks,
    tellApplications,
    allowances: createAllowances({ ...services, keyRing: keys.limits }),
    links: createLinks({ ...services, keyRing: keys.oneTimeSecrets }),
  };
  return {
    calls: {
      getRecoveryContext: createGetRecoveryContext(own),
      sendPasswordLink: createSendPasswordLink(own),
      sendSiteNames: createSendSiteNames(own),
      openPasswordLink: createOpenPasswordLink(own),
      setNewPassword: createSetNewPassword(own),
      refuseChange: createRefuseChange(own),
    },
    workOff: backgroundTasks.workOff,
  };
}
