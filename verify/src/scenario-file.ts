import { randomBytes } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import * as v from 'valibot';
import { ScenarioError } from './failures.ts';
import { action, carryOut } from './scenario-action.ts';
import { accountKinds, needs } from './scenario.ts';
import type { Account, AccountKind, Need, Scenario } from './scenario.ts';
import type { Visitor } from './visitor.ts';

const name = v.pipe(v.string(), v.nonEmpty());
const account = v.object({
  userName: name,
  password: name,
  sites: v.pipe(v.array(name), v.minLength(1)),
  phoneNumber: v.nullish(name),
});
/** Accounts that are there, each used once; or what makes one and answers it as JSON. */
const accounts = v.union([v.array(account), action]);

/** The scenario file (docs/adopting.md explains each member). */
const scenarioFile = v.strictObject({
  clientId: name,
  sites: v.strictObject({
    open: name,
    foreign: name,
    unknown: name,
    federated: v.optional(name),
    saml: v.optional(name),
  }),
  offers: v.optional(v.array(v.picklist(needs.filter((need) => !need.endsWith(' site')))), []),
  accounts: v.strictObject(v.entriesFromList(accountKinds, accounts)),
  /** Where the application sends a browser to sign in; `prompt` is added to its query. */
  signIn: name,
  /** Where the application sends a browser to sign out, and the address that it comes back to. */
  signOut: v.strictObject({ address: name, returnsTo: name }),
  /** An address that leads to the error page. */
  error: name,
  /** Answers the newest code of `{userName}` and `{phoneNumber}`, alone or within a text. */
  code: action,
  /** Moves the service's clock on by `{seconds}`; without it the kit waits. */
  clock: v.optional(action),
});
export type ScenarioFile = v.InferInput<typeof scenarioFile>;

/** @throws ScenarioError where the file is not one */
export function parseScenarioFile(content: unknown): v.InferOutput<typeof scenarioFile> {
  const result = v.safeParse(scenarioFile, content);
  if (result.success) return result.output;
  const places = result.issues.map((issue) => `${v.getDotPath(issue) ?? 'the file'}: ${issue.message}`);
  throw new ScenarioError(`The scenario file cannot be used.\n${places.join('\n')}`);
}

/** The scenario of a file for a service; commands of the file run in `folder`. */
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

  const address = (pattern: string): URL =>
    // 43 characters: as a PKCE challenge has them
    new URL(
      pattern.replaceAll('{random}', () => randomBytes(32).toString('base64url')),
      origin,
    );

  return {
    origin,
    offers,
    clientId: file.clientId,
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
      const said = await carryOut(file.code, { userName, phoneNumber }, place);
      const code = /(?<!\d)\d{6}(?!\d)/.exec(said)?.[0];
      if (code === undefined) throw new ScenarioError(`There is no code of six digits in: ${said}`);
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

/** Goes to an address as an application sends a browser there; answers a parameter of the page that it leads to, in any case. */
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

function readAccount(said: string): Account {
  try {
    return withoutNull(v.parse(account, JSON.parse(said)));
  } catch (error) {
    throw new ScenarioError(`This is no account: ${said}`, { cause: error });
  }
}

const withoutNull = ({ phoneNumber, ...rest }: v.InferOutput<typeof account>): Account => ({
  ...rest,
  phoneNumber: phoneNumber ?? undefined,
});
