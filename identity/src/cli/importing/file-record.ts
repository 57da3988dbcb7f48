/** One entry of a file; `values` have the names that the file uses. */
export type FileRecord = {
  /** The first line of the entry. */
  line: number;
  /** The line with the names: the first line of a CSV file, the entry's own line in a JSON file. */
  namesLine: number;
  values: Readonly<Record<string, unknown>>;
};

/** Limits the memory that an unclosed quote or bracket can use. */
export const recordMaximumLength = 64 * 1024;
