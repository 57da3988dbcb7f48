import { beforeEach, describe, expect, test } from 'vitest';
import { portal } from '../../testing/application.ts';
import type { Answer, Browser } from '../../testing/browser.ts';
import { readIdToken } from '../../testing/journeys.ts';
import { databaseKinds } from '../../testing/describe-store.ts';
import { useRegions } from '../../testing/regions/use-regions.ts';
import { director, directorId, lakeside } from '../../testing/regions/two-regions.ts';
import type { TestRegion } from '../../testing/regions/two-regions.ts';
import {
  choose,
  fetchTokens,
  fetchToken,
  isLetIn,
  latestCode,
  openVisitor,
  postToken,
} from '../../testing/regions/visitor.ts';
import type { Visitor } from '../../testing/regions/visitor.ts';
import { beginSignIn } from '../../testing/relying-party.ts';
import { createSoftwarePasskey } from '../../testing/software-passkey.ts';
import { codeOfStep, fromBase32, stepAt } from '../factors/time-based-codes.ts';

const rpId = 'anteroom.localhost';
const knowing = { 'x-anteroom-extensions': 'totp,passkeys' };

describe.each(databaseKinds)(
  'a second factor that is stored in eu, at a site of us, on $kind',
  ({ open }) => {
    const regions = useRegions(open, { PASSKEY_RP_ID: rpId });

    beforeEach(async () => {
      const { eu, us } = regions();
      for (const table of ['limits', 'passkeys', 'passkey_refusals', 'authenticator_apps'] as const)
        await eu.services.database.deleteFrom(table).execute();
      // The user has no second factor in region us.
      await us.services.database
        .updateTable('users')
        .set({ phone_number: null })
        .where('id', '=', directorId)
        .execute();
      await requireAtLakeside(null);
      // Each time step of an app is accepted only once.
      regions().advanceSeconds(60);
    });

    const requireAtLakeside = async (factors: string | null) =>
      regions()
        .us.services.database.updateTable('sites')
        .set({ second_factor_required: true, second_factors: factors })
        .where('name', '=', lakeside)
        .execute();

    const post = (browser: Browser, path: string, body: object): Promise<Answer> =>
      browser.post(`/api/ui/${path}`, body, knowing);

    /** Signs the director in to eu. `code` is what the user enters as the second factor. */
    async function signInWithCode(browser: Browser, code: () => Promise<string> | string) {
      const { returnUrl } = await beginSignIn(browser, portal);
      const asked = await post(browser, 'authenticate', { returnUrl, ...director });
      expect(asked.json()['status']).toBe('second_factor_required');
      const answer = await post(browser, 'verify-mfa-code', { returnUrl, code: await code() });
      expect(answer.json()['status']).toBe('redirect');
      return returnUrl;
    }

    /** Creates a passkey in eu, and signs the visitor in with it. */
    async function signInWithPasskey(eu: TestRegion): Promise<Visitor> {
      const passkey = createSoftwarePasskey({ origin: eu.url, rpId });
      const first = eu.openBrowser();
      const returnUrl = await signInWithCode(first, () => latestCode(eu));
      const offered = (await post(first, 'passkey/enrolment-options', { returnUrl })).json()['options'];
      const credential = passkey.create(offered as { challenge: string });
      expect((await post(first, 'passkey/enrolment', { returnUrl, credential })).status).toBe(200);

      const visitor = openVisitor(regions());
      const started = await beginSignIn(visitor.eu, portal);
      const asked = await post(visitor.eu, 'passkey/sign-in-options', { returnUrl: started.returnUrl });
      const answer = await post(visitor.eu, 'passkey/sign-in', {
        returnUrl: started.returnUrl,
        site: director.site,
        credential: passkey.get(asked.json()['options'] as { challenge: string }),
      });
      expect(answer.json()['status']).toBe('redirect');
      return visitor;
    }

    /** Sets an authenticator app up in eu, and signs the visitor in with it. */
    async function signInWithApp(eu: TestRegion): Promise<Visitor> {
      const first = eu.openBrowser();
      await signInWithCode(first, () => latestCode(eu));
      await first.call('/api/ui/account');
      const { secret } = (await post(first, 'account/authenticator-app/offer', {})).json();
      const codeOfApp = () => codeOfStep(fromBase32(String(secret)), stepAt(eu.clock.now()));
      const setUp = await post(first, 'account/authenticator-app/set-up', { code: codeOfApp() });
      expect(setUp.status).toBe(204);
      regions().advanceSeconds(60);
      const visitor = openVisitor(regions());
      await signInWithCode(visitor.eu, codeOfApp);
      return visitor;
    }

    const enterLakeside = async (visitor: Visitor): Promise<Answer> => {
      const { returnUrl } = await beginSignIn(visitor.eu, portal, { prompt: 'switch_site' });
      const token = await fetchToken(visitor, await choose(visitor.eu, returnUrl));
      return await postToken(visitor.us, regions().eu.url, token);
    };
    const hasSession = async ({ us }: Visitor) => (await us.call('/api/ui/sites')).status === 200;

    test.each([
      ['a passkey', 'passkey', signInWithPasskey, ['hwk', 'user', 'mfa'] as string[]],
      ['an authenticator app', 'totp', signInWithApp, ['pwd', 'otp', 'mfa']],
    ] as const)('%s counts, and the tokens of us say so', async (_name, factor, signIn, amr) => {
      const { eu, us } = regions();
      for (const counted of [null, factor]) {
        await eu.services.database.deleteFrom('limits').execute();
        await requireAtLakeside(counted);
        const visitor = await signIn(eu);
        expect(isLetIn(await enterLakeside(visitor))).toBe(true);
        expect(await hasSession(visitor)).toBe(true);
        expect(readIdToken(await fetchTokens(us, visitor.us))['amr']).toEqual(amr);
        for (const table of ['passkeys', 'authenticator_apps'] as const)
          await eu.services.database.deleteFrom(table).execute();
      }
    });

    test('a factor that does not count at the site begins no session there [S56]', async () => {
      const { eu } = regions();
      await requireAtLakeside('passkey');
      const byApp = await signInWithApp(eu);
      await enterLakeside(byApp);
      expect(await hasSession(byApp)).toBe(false);

      await eu.services.database.deleteFrom('authenticator_apps').execute();
      await requireAtLakeside('totp');
      const byPasskey = await signInWithPasskey(eu);
      await enterLakeside(byPasskey);
      expect(await hasSession(byPasskey)).toBe(false);
    });
  },
);
