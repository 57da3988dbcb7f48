import { createHash } from 'node:crypto';
import { stringify } from 'yaml';

// The part of Go's text/template, with functions of Helm, that the chart in `deploy/helm` uses. Everything else throws,
// so that no template is rendered differently than by Helm. npm has no package of Helm.

type Token = { kind: 'text' | 'name' | 'path' | 'mark'; value: string } | { kind: 'number'; value: number };
type Expression =
  | { kind: 'literal'; value: string | number }
  | { kind: 'path'; root: string; fields: string[] }
  | { kind: 'call'; name: string; parameters: Expression[] };
type Node =
  | { kind: 'text'; text: string }
  | { kind: 'output'; value: Expression }
  | { kind: 'assign'; name: string; value: Expression }
  | {
      kind: 'if' | 'with' | 'range';
      value: Expression;
      variables: string[];
      body: Node[];
      otherwise: Node[];
    };

interface Scope {
  dot: unknown;
  variables: ReadonlyMap<string, unknown>;
}

const tokenPattern = /\s*(?:"((?:[^"\\]|\\.)*)"|(-?\d+)|(\$?\w*(?:\.\w+)+|\.|\$\w*)|(\w+)|(:=|[|(),]))/y;

function tokenize(source: string): Token[] {
  const tokens: Token[] = [];
  tokenPattern.lastIndex = 0;
  while (tokenPattern.lastIndex < source.length) {
    const match = tokenPattern.exec(source);
    if (!match) throw new Error(`cannot read the action "${source}"`);
    const [, text, number, path, name, mark] = match;
    if (text !== undefined) tokens.push({ kind: 'text', value: String(JSON.parse(`"${text}"`)) });
    else if (number !== undefined) tokens.push({ kind: 'number', value: Number(number) });
    else if (path !== undefined) tokens.push({ kind: 'path', value: path });
    else if (name !== undefined) tokens.push({ kind: 'name', value: name });
    else tokens.push({ kind: 'mark', value: mark ?? '' });
  }
  return tokens;
}

const isMark = (token: Token | undefined, value: string): boolean =>
  token?.kind === 'mark' && token.value === value;

/** Parses a pipeline: `a b | c d` is `c d (a b)`, because the value of a command is the last argument of the next. */
function parsePipeline(tokens: Token[]): Expression {
  let piped: Expression | undefined;
  do {
    const command = parseCommand(tokens, piped);
    piped = command;
  } while (isMark(tokens[0], '|') && tokens.shift());
  return piped;
}

function parseCommand(tokens: Token[], piped: Expression | undefined): Expression {
  const [first] = tokens;
  if (first?.kind === 'name') {
    tokens.shift();
    const parameters: Expression[] = [];
    while (tokens[0] && !isMark(tokens[0], '|') && !isMark(tokens[0], ')'))
      parameters.push(parseOperand(tokens));
    return { kind: 'call', name: first.value, parameters: piped ? [...parameters, piped] : parameters };
  }
  if (piped) throw new Error('a value is piped into something that is no function');
  return parseOperand(tokens);
}

function parseOperand(tokens: Token[]): Expression {
  const token = tokens.shift();
  if (token === undefined) throw new Error('an action ends too early');
  if (token.kind === 'text' || token.kind === 'number') return { kind: 'literal', value: token.value };
  if (token.kind === 'path') {
    const [start = '', ...fields] = token.value.split('.');
    return { kind: 'path', root: start, fields: fields.filter((field) => field !== '') };
  }
  if (token.kind === 'name') return { kind: 'call', name: token.value, parameters: [] };
  if (token.value !== '(') throw new Error(`unexpected "${token.value}"`);
  const inner = parsePipeline(tokens);
  if (!isMark(tokens.shift(), ')')) throw new Error('a parenthesis is not closed');
  return inner;
}

function parseWhole(source: string): Expression {
  const tokens = tokenize(source);
  const expression = parsePipeline(tokens);
  if (tokens.length > 0) throw new Error(`cannot read the end of "${source}"`);
  return expression;
}

/** Text and actions in turn, without the white space that `{{-` and `-}}` remove. */
function split(source: string): { text?: string; action?: string }[] {
  const trimmed = source.replaceAll(/\s*\{\{- /g, '{{ ').replaceAll(/ -\}\}\s*/g, ' }}');
  return trimmed
    .split(/(\{\{[^]*?\}\})/)
    .map((part) => (part.startsWith('{{') ? { action: part.slice(2, -2).trim() } : { text: part }));
}

class Parser {
  readonly definitions = new Map<string, Node[]>();

  parse(source: string): Node[] {
    const parts = split(source);
    const { nodes, end } = this.#parseUntilEnd(parts);
    if (end !== undefined) throw new Error(`"${end}" without a beginning`);
    return nodes;
  }

  #parseUntilEnd(parts: { text?: string; action?: string }[]): { nodes: Node[]; end?: string } {
    const nodes: Node[] = [];
    for (let part = parts.shift(); part; part = parts.shift()) {
      const { text, action = '' } = part;
      if (text !== undefined) nodes.push({ kind: 'text', text });
      else if (action === 'end' || action === 'else' || action.startsWith('else '))
        return { nodes, end: action };
      else if (!action.startsWith('/*')) nodes.push(...this.#parseAction(action, parts));
    }
    return { nodes };
  }

  #parseAction(action: string, parts: { text?: string; action?: string }[]): Node[] {
    const [, keyword = '', rest = ''] = /^(define|if|with|range)\b\s*([^]*)$/.exec(action) ?? [];
    if (keyword === 'define') {
      const { nodes } = this.#parseUntilEnd(parts);
      this.definitions.set(String(JSON.parse(rest)), nodes);
      return [];
    }
    const [, names, value] =
      /^((?:\$\w+)(?:\s*,\s*\$\w+)?)\s*:=\s*([^]*)$/.exec(keyword ? rest : action) ?? [];
    const variables = names?.split(/\s*,\s*/) ?? [];
    const expression = parseWhole(value ?? (keyword ? rest : action));
    if (keyword === 'if' || keyword === 'with' || keyword === 'range')
      return [this.#parseBlock(keyword, expression, variables, parts)];
    const [name] = variables;
    return [
      name === undefined
        ? { kind: 'output', value: expression }
        : { kind: 'assign', name, value: expression },
    ];
  }

  #parseBlock(
    kind: 'if' | 'with' | 'range',
    value: Expression,
    variables: string[],
    parts: { text?: string; action?: string }[],
  ): Node {
    const { nodes: body, end } = this.#parseUntilEnd(parts);
    if (end === 'end') return { kind, value, variables, body, otherwise: [] };
    if (end !== 'else') throw new Error(`a block ends with "${end ?? 'nothing'}"`);
    return { kind, value, variables, body, otherwise: this.#parseUntilEnd(parts).nodes };
  }
}

const isEmpty = (value: unknown): boolean =>
  value === undefined ||
  value === null ||
  value === '' ||
  value === 0 ||
  value === false ||
  (typeof value === 'object' && Object.keys(value).length === 0);

const toText = (value: unknown): string =>
  typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
    ? String(value)
    : toYaml(value);
const toYaml = (value: unknown): string =>
  stringify(value, { sortMapEntries: true, lineWidth: 0 }).replace(/\n$/, '');
const indent = (width: number, text: string): string => text.replaceAll(/^/gm, ' '.repeat(width));
const cutEnd = (suffix: string, text: string): string =>
  text.endsWith(suffix) ? text.slice(0, -suffix.length) : text;

const functions: Readonly<Record<string, (...parameters: unknown[]) => unknown>> = {
  add: (...numbers) => numbers.reduce<number>((sum, number) => sum + Number(number), 0),
  contains: (part, text) => toText(text).includes(toText(part)),
  default: (fallback, value) => (isEmpty(value) ? fallback : value),
  div: (dividend, divisor) => Math.trunc(Number(dividend) / Number(divisor)),
  first: (list) => (Array.isArray(list) ? (list as unknown[])[0] : undefined),
  int: (value) => Math.trunc(Number(value)),
  kindIs: (kind, value) => typeof value === kind,
  list: (...values) => values,
  nindent: (width, text) => `\n${indent(Number(width), toText(text))}`,
  print: (...texts) => texts.map(toText).join(''),
  printf: (format, ...texts) => toText(format).replaceAll('%s', () => toText(texts.shift())),
  quote: (value) => JSON.stringify(toText(value)),
  sha256sum: (text) => createHash('sha256').update(toText(text)).digest('hex'),
  splitList: (separator, text) => toText(text).split(toText(separator)),
  toJson: (value) => JSON.stringify(value),
  toYaml,
  trimPrefix: (prefix, text) =>
    toText(text).startsWith(toText(prefix)) ? toText(text).slice(toText(prefix).length) : text,
  trimSuffix: (suffix, text) => cutEnd(toText(suffix), toText(text)),
  trunc: (length, text) => toText(text).slice(0, Number(length)),
};

class Renderer {
  readonly #templates: ReadonlyMap<string, Node[]>;

  constructor(templates: ReadonlyMap<string, Node[]>) {
    this.#templates = templates;
  }

  render(name: string, dot: unknown): string {
    const nodes = this.#templates.get(name);
    if (!nodes) throw new Error(`there is no template "${name}"`);
    return this.#renderAll(nodes, { dot, variables: new Map([['$', dot]]) });
  }

  #renderAll(nodes: readonly Node[], scope: Scope): string {
    const variables = new Map(scope.variables);
    const inner: Scope = { dot: scope.dot, variables };
    return nodes
      .map((node) => {
        if (node.kind === 'text') return node.text;
        const value = this.#evaluate(node.value, inner);
        if (node.kind === 'output') return value === undefined || value === null ? '' : toText(value);
        if (node.kind === 'assign') {
          variables.set(node.name, value);
          return '';
        }
        if (isEmpty(value)) return this.#renderAll(node.otherwise, inner);
        if (node.kind === 'range') return this.#renderEach(node, value, inner);
        return this.#renderAll(node.body, node.kind === 'with' ? { ...inner, dot: value } : inner);
      })
      .join('');
  }

  #renderEach(node: { variables: string[]; body: Node[] }, value: unknown, scope: Scope): string {
    const entries = Array.isArray(value)
      ? [...(value as unknown[]).entries()]
      : Object.entries(Object(value) as Record<string, unknown>).toSorted(([a], [b]) => (a < b ? -1 : 1));
    return entries
      .map(([key, dot]) => {
        const named = node.variables.length === 2 ? [key, dot] : [dot];
        const variables = new Map([
          ...scope.variables,
          ...node.variables.map((name, index) => [name, named[index]] as const),
        ]);
        return this.#renderAll(node.body, { dot, variables });
      })
      .join('');
  }

  #evaluate(expression: Expression, scope: Scope): unknown {
    if (expression.kind === 'literal') return expression.value;
    if (expression.kind === 'path') {
      const { root, fields } = expression;
      if (root !== '' && !scope.variables.has(root)) throw new Error(`there is no variable ${root}`);
      const start = root === '' ? scope.dot : scope.variables.get(root);
      return fields.reduce<unknown>(
        (value, field) => (Object(value) as Record<string, unknown>)[field],
        start,
      );
    }
    const parameters = expression.parameters.map((parameter) => this.#evaluate(parameter, scope));
    if (expression.name === 'include') return this.render(toText(parameters[0]), parameters[1]);
    const run = functions[expression.name];
    if (!run) throw new Error(`the function ${expression.name} is not known here`);
    return run(...parameters);
  }
}

/** Renders each of `files` (its name and its source) with the same data. */
export function renderTemplates(files: ReadonlyMap<string, string>, data: unknown): Map<string, string> {
  const parser = new Parser();
  const templates = new Map([...files].map(([name, source]) => [name, parser.parse(source)]));
  const renderer = new Renderer(new Map([...templates, ...parser.definitions]));
  return new Map([...files.keys()].map((name) => [name, renderer.render(name, data)]));
}
