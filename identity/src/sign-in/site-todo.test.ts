import { afterAll, beforeAll, expect, test } from 'vitest';
import { startApplication } from '../../testing/application.ts';
import type { TestApplication } from '../../testing/application.ts';
import type { Browser } from '../../testing/browser.ts';
import { createCommandLine } from '../../testing/command-line.ts';
import { describeStore } from '../../testing/describe-store.ts';
import { secretary, signIn } from '../../testing/journeys.ts';

/** A user with a password and no phone, at the two sites `harbor` and `northwind`. */
describeStore('the to-dos of a site', (store) => {
  let application: TestApplication;
  let browser: Browser;

  beforeAll(async () => {
    const { database } = store();
    application = await startApplication(database);
    await run('members add', secretary.userName, 'northwind');
    browser = application.openBrowser();
    await signIn(browser);
  });
  afterAll(() => application.close());

  async function run(command: string, ...more: string[]): Promise<void> {
    const words = [...command.split(' '), ...more];
    expect(await createCommandLine(store()).run(words)).toMatchObject({ code: 0, errors: '' });
  }
  const changeSite = (name: string, ...flags: string[]) => run('sites add', name, '--update', ...flags);

  async function list() {
    const answer = (await browser.call('/api/ui/sites')).json() as {
      directorToDoItemsEnabled: boolean;
      sites: { name: string; mfaRequirementMet: boolean }[];
    };
    return { ...answer, site: (name: string) => answer.sites.find((site) => site.name === name) };
  }
  const askToDos = (site: string) => browser.call(`/api/ui/sites/${site}/todo`);

  test('are returned wherever the list shows the second factor as met, also at a federated-only site without a phone [I25]', async () => {
    await changeSite('harbor', '--second-factor-required');
    expect((await list()).site('harbor')).toMatchObject({ mfaRequirementMet: false });
    expect((await askToDos('harbor')).status).toBe(403);

    await changeSite('harbor', '--no-allow-password-entry');
    expect((await list()).site('harbor')).toMatchObject({ mfaRequirementMet: true });
    expect((await askToDos('harbor')).status).toBe(200);
    await changeSite('harbor', '--no-second-factor-required', '--allow-password-entry');
  });

  test('are shown unless the site disables them, and the list says so if no site has any [I25]', async () => {
    expect(await list()).toMatchObject({ directorToDoItemsEnabled: true });
    expect((await askToDos('harbor')).json()).toMatchObject({ directorHomePageEnabled: true });

    await changeSite('harbor', '--no-director-to-dos-enabled');
    expect(await list()).toMatchObject({ directorToDoItemsEnabled: true });
    expect((await askToDos('harbor')).json()).toMatchObject({ directorHomePageEnabled: false });
    expect((await askToDos('northwind')).json()).toMatchObject({ directorHomePageEnabled: true });

    await changeSite('northwind', '--no-director-to-dos-enabled');
    expect(await list()).toMatchObject({ directorToDoItemsEnabled: false });
  });
});
