import { strict as assert } from 'node:assert';
import type { Account, AccountKind, Prompt, Scenario } from './scenario.ts';
import { createVisitor } from './visitor.ts';
import type { Visitor } from './visitor.ts';

/** A browser on the sign-in page, with the loaded context. */
export interface Visit {
  visitor: Visitor;
  returnUrl: string;
  context: Record<string, unknown>;
}

export async function arrive(
  scenario: Scenario,
  { prompt, visitor = createVisitor(scenario) }: ArriveOptions = {},
): Promise<Visit> {
  const returnUrl = await scenario.beginSignIn(visitor, { ...(prompt && { prompt }) });
  const context = await visitor.succeed('getAuthContext', { query: { returnUrl } });
  return { visitor, returnUrl, context };
}
type ArriveOptions = {
  prompt?: Prompt;
  visitor?: Visitor;
};

/** A visit after the correct password; `answer` says what the service requires next. */
export async function givePassword(
  scenario: Scenario,
  kind: AccountKind,
): Promise<Visit & { account: Account; answer: Record<string, unknown> }> {
  const account = await scenario.createAccount(kind);
  const visit = await arrive(scenario);
  visit.visitor.hides(account.password, account.phoneNumber);
  const { returnUrl, visitor } = visit;
  const answer = await visitor.succeed('authenticate', {
    body: { returnUrl, site: account.sites[0], userName: account.userName, password: account.password },
  });
  return { ...visit, account, answer };
}

/** A visit with a finished sign-in. */
export async function signIn(
  scenario: Scenario,
  kind: 'password' | 'code' = 'password',
): Promise<Visit & { account: Account; location: string }> {
  const visit = await givePassword(scenario, kind);
  let { answer } = visit;
  if (kind === 'code') {
    const code = await scenario.readCode(visit.account);
    visit.visitor.hides(code);
    answer = await visit.visitor.succeed('verifyMfaCode', { body: { code, returnUrl: visit.returnUrl } });
  }
  assert.equal(answer['status'], 'redirect');
  return { ...visit, location: String(answer['location']) };
}

/** A code that differs from the correct one. */
export function wrongCode(right: string): string {
  return String((Number(right) + 1) % 1_000_000).padStart(6, '0');
}
