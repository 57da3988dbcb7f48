import { describe, expect, test } from 'vitest';
import { portal, publicUrl } from '../../testing/application.ts';
import { useApplication } from '../../testing/use-application.ts';
import { demoUsers, demoSites } from './demo-data.ts';
import { seedDemoData } from './seed.ts';

const application = useApplication();

describe('the demo data', () => {
  test('is created once, and later changes stay', async () => {
    const { services } = application();
    await services.database.updateTable('users').set({ first_name: 'Changed' }).execute();
    await seedDemoData(services);
    const users = await services.database.selectFrom('users').select('first_name').execute();
    expect(users.map((user) => user.first_name)).toEqual(demoUsers.map(() => 'Changed'));
    const sites = await services.database.selectFrom('sites').select('name').execute();
    expect(sites).toHaveLength(demoSites.length);
  });

  test('the portal’s client follows the portal’s current port', async () => {
    const { services } = application();
    await seedDemoData({ ...services, config: { ...services.config, demoUrl: 'http://localhost:5555' } });
    const read = () =>
      services.database
        .selectFrom('clients')
        .select('metadata')
        .where('id', '=', portal.clientId)
        .executeTakeFirstOrThrow();
    expect((await read()).metadata).toMatchObject({ redirect_uris: ['http://localhost:5555/callback'] });
    await seedDemoData(services);
    expect((await read()).metadata).toMatchObject({ redirect_uris: [portal.redirectUri] });
  });

  test('is never created in production', async () => {
    const { services } = application();
    const production = { ...services, config: { ...services.config, production: true } };
    await expect(seedDemoData(production)).rejects.toThrow('production');
  });

  test('each site has a logo on the service’s own origin', async () => {
    const rows = await application().services.database.selectFrom('sites').select('logo_path').execute();
    for (const { logo_path: path } of rows) {
      const answer = await application()
        .openBrowser()
        .visit(new URL(path ?? '', publicUrl).href);
      expect(answer.status).toBe(200);
      expect(answer.headers['content-type']).toContain('image/svg+xml');
      expect(answer.headers['content-security-policy']).toBeDefined();
    }
  });
});
