import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { endSessionsOf } from '../../testing/begin-session.ts';
import { keyOf, signAnew } from '../../testing/regions/forged-tokens.ts';
import { isLetIn, openVisitor, postToken, prepareToken } from '../../testing/regions/visitor.ts';
import { directorId, lakeside } from '../../testing/regions/two-regions.ts';
import { useRegions } from '../../testing/regions/use-regions.ts';

const methods = ['pwd', 'sms', 'otp', 'fed'] as const;

describe('a hand-over never raises the assurance [S56]', () => {
  const regions = useRegions();

  test('a session in region us never has a higher assurance, a later authentication time or a longer lifetime than the session in eu, and us still requires its own steps', async () => {
    const property = fc.asyncProperty(
      fc.uniqueArray(fc.constantFrom(...methods), { minLength: 1 }),
      fc.record({
        isExternal: fc.boolean(),
        ageSeconds: fc.integer({ min: -30, max: 40_000 }),
        livesSeconds: fc.integer({ min: 60, max: 100_000 }),
        hasPhone: fc.boolean(),
        siteAsks: fc.boolean(),
      }),
      async (amr, { isExternal, ageSeconds, livesSeconds, hasPhone, siteAsks }) => {
        const { eu, us } = regions();
        const { database } = us.services;
        const ageOf = (index: number): number => ageSeconds + index * 100;
        const setUp = async (phoneNumber: string | null, asks: boolean): Promise<void> => {
          await database
            .updateTable('users')
            .set({ phone_number: phoneNumber })
            .where('id', '=', directorId)
            .execute();
          await database
            .updateTable('sites')
            .set({ second_factor_required: asks })
            .where('name', '=', lakeside)
            .execute();
        };
        await setUp(hasPhone ? '+442079460142' : null, siteAsks);
        const visitor = openVisitor(regions());
        const { token } = await prepareToken(regions(), visitor);
        const now = Math.floor(us.clock.now().getTime() / 1000);
        const said = {
          methods: amr.map((method, index) => ({ method, at: now - ageOf(index) })),
          session_expires_at: now + livesSeconds,
          externally_authenticated: isExternal,
        };
        const answer = await postToken(
          visitor.us,
          eu.url,
          await signAnew(token, keyOf(eu), { claims: said }),
        );
        // The browser is redirected to the application in any case. A session exists only if no step is missing.
        expect(isLetIn(answer)).toBe(true);
        const hasSession = (await visitor.us.call('/api/ui/sites')).status === 200;
        const isSecond = amr.includes('sms') || amr.includes('otp');
        const isEnough =
          !isExternal && !amr.includes('fed') && amr.includes('pwd') && (isSecond || !(hasPhone || siteAsks));
        // A factor that was used in eu need not be set up in region us.
        expect(hasSession).toBe(isEnough);
        expect(answer.text.includes('login_hint=')).toBe(!hasSession);
        if (!hasSession) return;
        const newSession = await database
          .selectFrom('sessions')
          .selectAll()
          .where('user_id', '=', directorId)
          .where('ended_at', 'is', null)
          .executeTakeFirstOrThrow();
        const proved = amr.map((method, index) => ({
          method,
          at: new Date(Math.min((now - ageOf(index)) * 1000, us.clock.now().getTime())).toISOString(),
        }));
        expect(newSession.methods).toEqual(proved);
        expect(newSession.absolute_expires_at.getTime()).toBeLessThanOrEqual((now + livesSeconds) * 1000);
        // Ends the session, so that the next one is the only session.
        await endSessionsOf(us.services, directorId);
      },
    );
    await fc.assert(property, { numRuns: 20 });
  });
});
