import type { recoveryCalls } from '@anteroom/contract/recovery';
import type { Handlers } from '../http/routes.ts';
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

/** Recovery of forgotten passwords and sites by e-mail. */
export type Recovery = {
  calls: Handlers<typeof recoveryCalls>;
  /** Processes the queued requests; on shutdown and in tests. */
  drain: () => Promise<void>;
};

export function createRecovery(
  services: Services,
  { notifyApplications }: Pick<Openid, 'notifyApplications'>,
): Recovery {
  const { keys, log } = services;
  const backgroundTasks = createBackgroundTasks(log);
  const recoveryServices: RecoveryServices = {
    ...services,
    backgroundTasks,
    notifyApplications,
    allowances: createAllowances({ ...services, keyRing: keys.limits }),
    links: createLinks({ ...services, keyRing: keys.oneTimeSecrets }),
  };
  return {
    calls: {
      getRecoveryContext: createGetRecoveryContext(recoveryServices),
      sendPasswordLink: createSendPasswordLink(recoveryServices),
      sendSiteNames: createSendSiteNames(recoveryServices),
      openPasswordLink: createOpenPasswordLink(recoveryServices),
      setNewPassword: createSetNewPassword(recoveryServices),
      refuseChange: createRefuseChange(recoveryServices),
    },
    drain: backgroundTasks.drain,
  };
}
