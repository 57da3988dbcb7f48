import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { t } from '../../texts/texts.ts';
import styles from './table.module.css';

type TableProps = {
  label: string;
  titles: readonly string[];
  /** The rows; without any, the table says why it is empty. */
  children: readonly ReactNode[];
  empty: ReactNode;
  /** The address of the next page. */
  next?: string | undefined;
};

/** Deeper rows are not indented further, so that the name keeps room on a telephone. */
const deepest = 5;

/** A table, which becomes a list of blocks on a narrow screen. */
export function Table({ label, titles, children, empty, next }: TableProps) {
  if (children.length === 0) return <div className={styles.empty}>{empty}</div>;
  return (
    <>
      <div className={styles.scroll}>
        <table className={styles.table} aria-label={label}>
          <thead>
            <tr>
              {titles.map((title) => (
                <th key={title} scope="col">
                  {title}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>{children}</tbody>
        </table>
      </div>
      {next !== undefined && (
        <Link className={styles.next} to={next}>
          {t('forms.more')}
        </Link>
      )}
    </>
  );
}

type RowProps = {
  /** The handle of the row for checks from outside. */
  name: string;
  /** The cell that names the row. */
  head: ReactNode;
  /** How far the head is indented below the head of a group. */
  depth?: number | undefined;
  children: ReactNode;
  /** What is open below the row. */
  below?: ReactNode;
};

export function Row({ name, head, depth = 0, children, below }: RowProps) {
  return (
    <>
      <tr data-row={name}>
        <th scope="row" className={styles.head} data-depth={Math.min(depth, deepest)}>
          {head}
        </th>
        {children}
      </tr>
      {below && (
        <tr className={styles.below}>
          <td colSpan={99}>{below}</td>
        </tr>
      )}
    </>
  );
}

type CellProps = {
  children?: ReactNode;
  /** The title of the column, for a narrow screen, if the value alone does not say what it is. */
  title?: string;
};

export function Cell({ children, title }: CellProps) {
  return <td data-title={title}>{children}</td>;
}
