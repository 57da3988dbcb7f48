import type { Plugin } from 'vite';

interface Unread {
  /** The files that the definitions stand in. */
  files: RegExp;
  /** The function that the definitions are given to, as `call({ … })`. */
  call: string;
  /** The members that the front end never reads. */
  members: readonly string[];
}

/**
 * Takes out of definitions what only tests, documentation or services read. A bundler keeps each member of an object that is read by a
 * name which it cannot know.
 */
export function leaveOut(name: string, { files, call, members }: Unread): Plugin {
  return {
    name: `anteroom:leave-out:${name}`,
    apply: 'build',
    transform: {
      filter: { id: files },
      handler(code) {
        const unread = [...findArguments(this.parse(code), call)].flatMap(({ properties }) =>
          properties.flatMap((property, index) => {
            const end = properties[index + 1]?.start ?? property.end;
            return members.includes(property.key?.name ?? '') ? [{ start: property.start, end }] : [];
          }),
        );
        // from the end of the file to its beginning, so that the positions before a cut stay true
        return { code: unread.toSorted((a, b) => b.start - a.start).reduce(cut, code), map: null };
      },
    },
  };
}

const cut = (code: string, { start, end }: { start: number; end: number }): string =>
  code.slice(0, start) + code.slice(end);

/** What is read here of the syntax tree (ESTree). */
interface Node {
  type: string;
  start: number;
  end: number;
  name?: string;
  key?: Node;
  callee?: Node;
  arguments?: Node[];
  properties?: Node[];
}

/** The object that each `call({ … })` is given, wherever it stands. */
function* findArguments(node: unknown, call: string): Generator<Required<Pick<Node, 'properties'>>> {
  if (Array.isArray(node)) for (const child of node) yield* findArguments(child, call);
  if (!isNode(node)) return;
  for (const child of Object.values(node)) yield* findArguments(child, call);
  if (node.type !== 'CallExpression' || node.callee?.name !== call) return;
  for (const { properties } of node.arguments ?? []) if (properties) yield { properties };
}

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && 'type' in value && 'start' in value && 'end' in value;
