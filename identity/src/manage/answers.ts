import type { Operation, RoleName } from '../admin/permissions.ts';
import type { ReasonCode } from '../admin/problems.ts';
import type { ResourceName } from '../admin/resource.ts';

// The shapes of the management API. The console imports these types.

export type ProblemError = {
  /** JSON pointer (RFC 6901) to the member of the body. */
  pointer?: string;
  /** The first line of the entry in an imported file. */
  line?: number;
  reason: string;
  code?: ReasonCode;
};

/** RFC 9457. */
export type ProblemAnswer = {
  type: string;
  title: string;
  status: number;
  detail?: string;
  correlationId: string;
  errors?: ProblemError[];
  /** The number of errors, including those that are not listed. */
  count?: number;
  /** For 412: the entry as it is stored now, and its entity tag. */
  present?: Record<string, unknown>;
  etag?: string;
  /** For 401: where a browser proves its user. */
  proofAddress?: string;
};

export type FieldDescription = {
  kind: 'text' | 'number' | 'flag' | 'list';
  help: string;
  required: boolean;
  initial?: unknown;
  choices?: string[];
  isKey: boolean;
  readOnly?: true;
  delegated?: true;
};

export type ResourceDescription = {
  name: ResourceName;
  singular: string;
  summary: string;
  keys: string[];
  fields: Record<string, FieldDescription>;
  filters: Record<string, { help: string; kind: 'text' | 'flag' }>;
  columns?: string[];
  importable: boolean;
  read: Operation;
  change: Operation;
  remove: Operation;
};

export type Me = {
  user: { id: string; userName: string; name: string; email: string | null };
  roles: { role: RoleName; site: string | null }[];
  /** Absent: not permitted. Otherwise everywhere, or the names of the sites within reach. */
  operations: Partial<Record<Operation, 'all' | readonly string[]>>;
  /** The operations that need a proof of the last ten minutes. */
  fresh: Operation[];
  /** Until when the present proof counts as fresh; null: it does not. */
  freshUntil: string | null;
  signedInUntil: string;
  /** The sites of an administrator. */
  sites: { name: string; displayName: string; parent: string | null }[];
  resources: Partial<Record<ResourceName, ResourceDescription>>;
  audit: { events: string[] };
  invitationDays: number;
};

export type ListAnswer<Item = Record<string, unknown>> = { items: Item[]; next: string | null };
