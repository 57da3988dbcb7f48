import type { recoveryCalls, RecoveryCallAnswer, RecoveryCallInput } from '@anteroom/contract/recovery';
import type { Handlers } from '../http/routes.ts';
import { createAllowances } from '../limits/allowances.ts';
import type { OpenidProvider } from '../provider/provider.ts';
import type { Services } from '../services.ts';
import type { Exchange } from '../http/exchange.ts';
import { createBackgroundTasks } from './recovery-services.ts';
import { createLinks } from './links-store.ts';
import { createOpenPasswordLink, createSetNewPassword } from './new-password.ts';
import { createRefuseChange } from './refuse-change.ts';
import { createSendPasswordLink } from './password-link.ts';
import type { RecoveryServices } from './recovery-services.ts';
import { createSendSiteNames } from './site-names.ts';
import { linkValidityMinutes } from './link-limits.ts';
import { findRefererClient, findSignInUrl } from './return-address.ts';

/** Recovery of forgotten passwords and sites by e-mail. */
export type Recovery = {
  calls: Handlers<typeof recoveryCalls>;
  /** Processes the queued requests. Called on shutdown and in tests. */
  drain: () => Promise<void>;
};

export function createRecovery(
  services: Services,
  { notifyApplications }: Pick<OpenidProvider, 'notifyApplications'>,
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

/**
 * The context of the recovery pages. Creates a session if there is none, because the other calls require the
 * anti-forgery cookie of a session.
 */
function createGetRecoveryContext(services: RecoveryServices) {
  return async (
    { query }: RecoveryCallInput<'getRecoveryContext'>,
    exchange: Exchange,
  ): Promise<RecoveryCallAnswer<'getRecoveryContext'>> => {
    // Sets the anti-forgery cookie.
    const { browserId } = await exchange.ensureSession();
    const client = await findRefererClient(services.database, query);
    return {
      linkValidityInMinutes: linkValidityMinutes,
      signInUrl: await findSignInUrl(services, client, browserId),
      loginFlowCustomizations: client?.customizations,
      branding: client?.branding,
    };
  };
}
