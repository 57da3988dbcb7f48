import type { CallAnswer, CallInput } from '@anteroom/contract';
import type { Services } from '../services.ts';
import { findSite } from '../sites/sites-store.ts';

type SiteRequest = CallInput<'postSiteSettings'>['body'];
type UserRequest = CallInput<'postUserSettings'>['body'];

/** How people sign in at a site. A site that nobody has answers as one without settings of its own. */
export function createSiteSettings({ database }: Pick<Services, 'database'>) {
  const answer = async ({ site: name }: SiteRequest): Promise<CallAnswer<'getSiteSettings'>> => {
    const site = await findSite(database, name);
    return { allowPasswordEntry: site?.allowPasswordEntry ?? true };
  };
  return {
    get: ({ query }: CallInput<'getSiteSettings'>) => answer(query),
    post: ({ body }: CallInput<'postSiteSettings'>) => answer(body),
  };
}

/**
 * Whether a person signs in elsewhere. Only what a site has configured decides it, never whether the name exists:
 * the people are not even looked up.
 */
export function createUserSettings({ database }: Pick<Services, 'database'>) {
  const answer = async ({ site: name }: UserRequest): Promise<CallAnswer<'getUserSettings'>> => {
    const site = name === undefined || name === '' ? undefined : await findSite(database, name);
    return { shouldRedirectToExternalAuth: site?.allowPasswordEntry === false };
  };
  return {
    get: ({ query }: CallInput<'getUserSettings'>) => answer(query),
    post: ({ body }: CallInput<'postUserSettings'>) => answer(body),
  };
}
