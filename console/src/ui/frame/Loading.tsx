import styles from './frame.module.css';

/** The first load, before any text is known: lines of the size of a table, after 300 ms. */
export function Loading() {
  return (
    <div className={styles.skeleton}>
      <progress aria-label="Anteroom" className={styles.hiddenText} />
      <span />
      <span />
      <span />
      <span />
    </div>
  );
}
