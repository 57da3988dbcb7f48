/** What one entry of a file says, by the file's own names. */
export type FileRecord = {
  /** That it begins in. */
  line: number;
  /** That its names stand in: the first of a CSV file, the entry's own of a JSON file. */
  namesLine: number;
  values: Readonly<Record<string, unknown>>;
};

/** One entry is never longer; a quote that is not closed is noticed here instead of at the end of the memory. */
export const recordMaximumLength = 64 * 1024;
