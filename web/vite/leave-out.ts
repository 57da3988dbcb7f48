import type { Plugin } from 'vite';

interface Unread {
  /** The files that contain the definitions. */
  files: RegExp;
  /** The function that takes a definition, as in `call({ … })`. */
  call: string;
  /** The members that the front end does not read. */
  members: readonly string[];
}

/**
 * Removes members of definitions that only tests, documentation or services read. A bundler keeps all members of an
 * object that is accessed by a dynamic key.
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
        // From the end to the beginning, so that earlier positions stay valid.
        return { code: unread.toSorted((a, b) => b.start - a.start).reduce(cut, code), map: null };
      },
    },
  };
}

const cut = (code: string, { start, end }: { start: number; end: number }): string =>
  code.slice(0, start) + code.slice(end);

/** The used part of the syntax tree (ESTree). */
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

/** The object argument of each `call({ … })`. */
function* findArguments(node: unknown, call: string): Generator<Required<Pick<Node, 'properties'>>> {
  if (Array.isArray(node)) for (const child of node) yield* findArguments(child, call);
  if (!isNode(node)) return;
  for (const child of Object.values(node)) yield* findArguments(child, call);
  if (node.type !== 'CallExpression' || node.callee?.name !== call) return;
  for (const { properties } of node.arguments ?? []) if (properties) yield { properties };
}

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && 'type' in value && 'start' in value && 'end' in value;
