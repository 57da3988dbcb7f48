import type { CallAnswer } from '@anteroom/contract';
import { siteNamed } from '@anteroom/testkit/scripted/opening-scene';
import type { ScriptedIdentity } from '@anteroom/testkit/scripted/scripted-identity';
import type { Locator, Page } from '@playwright/test';
import type { Visit } from './visit.ts';

type Sites = CallAnswer<'getSites'>;
export type Site = Sites['sites'][number];

/** Opens the site list with these sites. */
export async function openSites(
  visit: Visit,
  { script }: ScriptedIdentity,
  sites: Site[],
  more: Partial<Sites> = {},
): Promise<void> {
  visit.choosing();
  script.answer('getSites', {
    sites,
    userFirstName: 'Dana',
    userLastName: 'Rivers',
    boardsUserName: 'drivers',
    directorToDoItemsEnabled: false,
    ...more,
  });
  await visit.open();
  await visit.step('select-site');
}

/** A number of single sites: `s01` with the name `Board 01`, and so on. */
export function sitesInARow(count: number): Site[] {
  return Array.from({ length: count }, (_, index) => {
    const number = String(index + 1).padStart(2, '0');
    return siteNamed(`s${number}`, `Board ${number}`);
  });
}

/** 2,000 sites in 100 groups: `Family 001` with the boards `001-01` to `001-20`, and so on. */
export function twoThousandSites(): Site[] {
  return Array.from({ length: 100 }, (_, group) => {
    const family = String(group + 1).padStart(3, '0');
    return {
      ...siteNamed(`family-${family}`, `Family ${family}`),
      sites: Array.from({ length: 20 }, (_unused, index) => {
        const number = `${family}-${String(index + 1).padStart(2, '0')}`;
        return { ...siteNamed(number, `Board ${number}`), sequence: index };
      }),
    };
  });
}

export function entry(page: Page, name: string): Locator {
  return page.locator(`[data-site="${name}"]`);
}

export function selectButton(page: Page, name: string): Locator {
  return entry(page, name).getByRole('button').first();
}

/** The names of the entries, from top to bottom. */
export async function listed(page: Page): Promise<string[]> {
  return page
    .locator('main [data-site]')
    .evaluateAll((entries) => entries.map((one) => one.getAttribute('data-site') ?? ''));
}
