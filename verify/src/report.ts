import { calls, contractVersion } from '@anteroom/contract';
import type { Outcome } from './verify-service.ts';
import type { Exchange } from './visitor.ts';

const longestText = 300;

/** Counts the rules by result. */
export function summarise(outcomes: readonly Outcome[]): Record<Outcome['status'], number> {
  const summary = { kept: 0, broken: 0, undecided: 0, 'not offered': 0 };
  for (const { status } of outcomes) summary[status] += 1;
  return summary;
}

export function textOfOutcome(outcome: Outcome): string {
  const { rule, status, seen = '' } = outcome;
  const line = `${status.padEnd(12)} ${rule.id}`;
  if (status === 'kept') return line;
  if (status === 'not offered') return `${line} (${seen})`;
  return [line, ...detailsOf(outcome).map((detail) => `    ${detail.replaceAll('\n', '\n    ')}`)].join('\n');
}

export function textOfSummary(outcomes: readonly Outcome[]): string {
  const counts = Object.entries(summarise(outcomes)).map(([status, count]) => `${count} ${status}`);
  return `${outcomes.length} rules about ${Object.keys(calls).length} calls: ${counts.join(', ')}`;
}

export function jsonReport(service: string, outcomes: readonly Outcome[]): string {
  const rules = outcomes.map(({ rule: { id, rule, section }, broken, ...result }) => ({
    id,
    rule,
    section,
    ...result,
    ...(broken && { broken: { id: broken.id, rule: broken.rule, section: broken.section } }),
  }));
  return JSON.stringify({ service, contractVersion, summary: summarise(outcomes), rules }, undefined, 2);
}

export function junitReport(service: string, outcomes: readonly Outcome[]): string {
  const { broken, undecided, 'not offered': skipped } = summarise(outcomes);
  const cases = outcomes.map((outcome) => {
    const [group = '', name = ''] = outcome.rule.id.split('.');
    const seconds = (outcome.milliseconds / 1000).toFixed(3);
    const open = `  <testcase classname="${group}" name="${xml(`${group}.${name}`)}" time="${seconds}"`;
    if (outcome.status === 'kept') return `${open}/>`;
    const message = xml(outcome.seen ?? '');
    if (outcome.status === 'not offered') return `${open}><skipped message="${message}"/></testcase>`;
    const element = outcome.status === 'broken' ? 'failure' : 'error';
    return `${open}><${element} message="${message}">${xml(detailsOf(outcome).join('\n'))}</${element}></testcase>`;
  });
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuite name="${xml(`wire contract: ${service}`)}" tests="${outcomes.length}" failures="${broken}" errors="${undecided}" skipped="${skipped}">`,
    ...cases,
    '</testsuite>',
  ].join('\n');
}

function detailsOf({ rule, broken = rule, seen = '', lastExchange }: Outcome): string[] {
  return [
    ...(broken.id === rule.id ? [] : [`Broken: ${broken.id}`]),
    `Rule: ${broken.rule}`,
    `Contract: ${broken.section}`,
    `Seen: ${seen}`,
    ...(lastExchange ? [`Last call: ${textOfExchange(lastExchange)}`] : []),
  ];
}

function textOfExchange({ method, path, status, contentType, text }: Exchange): string {
  const shown = text.length > longestText ? `${text.slice(0, longestText)}…` : text;
  return `${method} ${path} answered ${status} ${contentType} ${shown}`.trim();
}

const escapes: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

function xml(text: string): string {
  // XML 1.0, 2.2: control characters cannot be escaped.
  return text
    .replaceAll(/[^\P{Cc}\t\n\r]/gu, '?')
    .replaceAll(/[&<>"]/g, (character) => escapes[character] ?? '');
}
