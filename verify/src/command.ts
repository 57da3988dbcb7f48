import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { jsonReport, junitReport, summarise, textOfOutcome, textOfSummary } from './report.ts';
import { rules } from './rules.ts';
import { createScenario } from './scenario-file.ts';
import { verifyService } from './verify-service.ts';

const help = `Usage: anteroom-verify <url> --scenario <file> [options]
       anteroom verify-service <url> --scenario <file> [options]

Drives an identity service through the wire contract and reports each rule that it breaks.

  --scenario <file>   how the service is brought into a state, as JSON (docs/adopting.md)
  --rule <id>         run this rule alone; may be repeated
  --json <file>       write a report as JSON; "-" for standard output
  --junit <file>      write a report for continuous integration; "-" for standard output
  --list              list the rules
  --help              show this text

Exit codes: 0 every rule is kept, 1 a rule is broken, 2 a rule could not be decided or the command was not understood.`;

const exitCodes = { kept: 0, broken: 1, undecided: 2 } as const;

/** Runs the command and returns its exit code. Relative paths are resolved from `startedIn`. */
export async function runVerifyCommand(
  args: readonly string[],
  {
    startedIn,
    print,
    note,
  }: { startedIn: string; print: (text: string) => void; note: (text: string) => void },
): Promise<number> {
  try {
    const { values, positionals } = parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        scenario: { type: 'string' },
        rule: { type: 'string', multiple: true },
        json: { type: 'string' },
        junit: { type: 'string' },
        list: { type: 'boolean' },
        help: { type: 'boolean' },
      },
    });
    if (values.help) {
      print(help);
      return exitCodes.kept;
    }
    if (values.list) {
      for (const { id, rule, section } of rules) print(`${id}\n    ${rule}\n    Contract: ${section}`);
      return exitCodes.kept;
    }
    const [url, ...more] = positionals;
    if (url === undefined || more.length > 0 || !/^https?:$/.test(URL.parse(url)?.protocol ?? ''))
      throw new Error('One address with http or https is needed.');
    if (values.scenario === undefined) throw new Error('--scenario is needed.');
    const unknown = values.rule?.find((id) => !rules.some((rule) => rule.id === id));
    if (unknown !== undefined) throw new Error(`There is no rule ${unknown} (--list shows all).`);

    const file = resolve(startedIn, values.scenario);
    const content = JSON.parse(readFileSync(file, 'utf8')) as unknown;
    await requireAnswer(url);
    const isPrinted = [values.json, values.junit].includes('-');
    const outcomes = await verifyService(createScenario(content, { url, folder: dirname(file) }), {
      ...(values.rule && { only: values.rule }),
      onOutcome: (outcome) => (isPrinted ? note : print)(textOfOutcome(outcome)),
    });
    (isPrinted ? note : print)(textOfSummary(outcomes));
    for (const [target, report] of [
      [values.json, jsonReport],
      [values.junit, junitReport],
    ] as const) {
      if (target === '-') print(report(url, outcomes));
      else if (target !== undefined) writeFileSync(resolve(startedIn, target), `${report(url, outcomes)}\n`);
    }
    const { broken, undecided } = summarise(outcomes);
    return broken > 0 ? exitCodes.broken : undecided > 0 ? exitCodes.undecided : exitCodes.kept;
  } catch (error) {
    note(`${error instanceof Error ? error.message : String(error)} (--help shows more)`);
    return exitCodes.undecided;
  }
}

/**
 * Checks that the service answers at all.
 * @throws if it does not, so that this is reported once and not by every rule
 */
async function requireAnswer(url: string): Promise<void> {
  try {
    await fetch(url, { redirect: 'manual' });
  } catch (error) {
    const cause =
      error instanceof Error && error.cause instanceof Error ? error.cause.message : String(error);
    throw new Error(`There is no service at ${url}: ${cause}`, { cause: error });
  }
}
