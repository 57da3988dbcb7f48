import { randomBytes } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import * as v from 'valibot';
import { ScenarioError } from './failures.ts';
import { action, carryOut } from './scenario-action.ts';
import { accountKinds, optionalMembers } from './scenario.ts';
import type { Account, AccountKind, Need, Scenario } from './scenario.ts';
import type { Visitor } from './visitor.ts';

const name = v.pipe(v.string(), v.nonEmpty());
const account = v.object({
  userName: name,
  password: name,
  sites: v.pipe(v.array(name), v.minLength(1)),
  phoneNumber: v.nullish(name),
});
/** Existing accounts, each of which is used once, or an action that creates an account and returns it as JSON. */
const accounts = v.union([v.array(account), action]);

/** The schema of the scenario file (docs/adopting.md explains each member). */
const scenarioFile = v.strictObject({
  clientId: name,
  sites: v.strictObject({
    open: name,
    foreign: name,
    unknown: name,
    federated: v.optional(name),
    saml: v.optional(name),
  }),
  offers: v.optional(v.array(v.picklist(optionalMembers)), []),
  /** The origin of another region's front end, which the service lists. */
  regionOrigin: v.optional(name),
  accounts: v.strictObject(v.entriesFromList(accountKinds, accounts)),
  /** The address at which the application starts a sign-in; `prompt` is added to its query. */
  signIn: name,
  /** The address at which the application starts a sign-out, and the address to which it returns. */
  signOut: v.strictObject({ address: name, returnsTo: name }),
  /** An address that redirects to the error page. */
  error: name,
  /** Returns the latest code for `{userName}` and `{phoneNumber}`, alone or within a text. */
  code: action,
  /** Advances the service's clock by `{seconds}`; without this action the kit waits. */
  clock: v.optional(action),
});
export type ScenarioFile = v.InferInput<typeof scenarioFile>;

/** @throws ScenarioError for an invalid file */
export function parseScenarioFile(content: unknown): v.InferOutput<typeof scenarioFile> {
  const result = v.safeParse(scenarioFile, content);
  if (result.success) return result.output;
  const places = result.issues.map((issue) => `${v.getDotPath(issue) ?? 'the file'}: ${issue.message}`);
  throw new ScenarioError(`The scenario file cannot be used.\n${places.join('\n')}`);
}

/** The scenario of a file for a service. Commands run in `folder`. */
export function createScenario(
  content: unknown,
  { url, folder = process.cwd() }: { url: string; folder?: string },
): Scenario {
  const file = parseScenarioFile(content);
  const { origin } = new URL(url);
  const place = { origin, folder };
  const used: Record<AccountKind, number> = { password: 0, code: 0, 'password-change': 0 };
  const { federated, saml } = file.sites;
  const offers = new Set<Need>(file.offers);
  if (federated !== undefined) offers.add('federated site');
  if (saml !== undefined) offers.add('SAML site');
  if (file.regionOrigin !== undefined) offers.add('regions');
  if (file.clock !== undefined) offers.add('a clock');

  const address = (pattern: string): URL =>
    // `{random}` is replaced by 43 characters, the length of a PKCE challenge.
    new URL(
      pattern.replaceAll('{random}', () => randomBytes(32).toString('base64url')),
      origin,
    );

  return {
    origin,
    offers,
    clientId: file.clientId,
    regionOrigin: file.regionOrigin,
    sites: { ...file.sites, federated, saml },
    note: () => undefined,
    async createAccount(kind) {
      const source = file.accounts[kind];
      if (!Array.isArray(source))
        return readAccount(await carryOut(source, { kind, random: randomBytes(8).toString('hex') }, place));
      const next = source[used[kind]++];
      if (next === undefined)
        throw new ScenarioError(
          `The scenario has ${source.length} accounts of the kind "${kind}", and this rule needs one more.`,
        );
      return withoutNull(next);
    },
    async beginSignIn(visitor, { prompt } = {}) {
      const start = address(file.signIn);
      if (prompt) start.searchParams.set('prompt', prompt);
      return readPage(visitor, start, { page: '/ui/account/login', parameter: 'returnurl' });
    },
    async readCode({ userName, phoneNumber = '' }) {
      const output = await carryOut(file.code, { userName, phoneNumber }, place);
      const code = /(?<!\d)\d{6}(?!\d)/.exec(output)?.[0];
      if (code === undefined) throw new ScenarioError(`There is no code of six digits in: ${output}`);
      return code;
    },
    async beginSignOut(visitor) {
      const logoutId = await readPage(visitor, address(file.signOut.address), {
        page: '/ui/account/logout',
        parameter: 'logoutid',
      });
      return { logoutId, address: file.signOut.returnsTo };
    },
    causeError: (visitor) =>
      readPage(visitor, address(file.error), { page: '/ui/home/error', parameter: 'errorid' }),
    async advanceSeconds(seconds) {
      if (file.clock === undefined) await wait(seconds * 1000);
      else await carryOut(file.clock, { seconds: String(seconds) }, place);
    },
  };
}

/**
 * Navigates like a browser that the application redirects; returns a query parameter (case-insensitive) of the
 * resulting page.
 */
async function readPage(
  visitor: Visitor,
  start: URL,
  { page, parameter }: { page: string; parameter: string },
): Promise<string> {
  const reached = await visitor.follow(start.href);
  const found = [...reached.searchParams].find(([key]) => key.toLowerCase() === parameter)?.[1];
  if (reached.pathname !== page || found === undefined)
    throw new ScenarioError(`${start.href} led to ${reached.href}, not to ${page}?${parameter}=…`);
  return found;
}

function readAccount(output: string): Account {
  try {
    return withoutNull(v.parse(account, JSON.parse(output)));
  } catch (error) {
    throw new ScenarioError(`This is no account: ${output}`, { cause: error });
  }
}

const withoutNull = ({ phoneNumber, ...rest }: v.InferOutput<typeof account>): Account => ({
  ...rest,
  phoneNumber: phoneNumber ?? undefined,
});
