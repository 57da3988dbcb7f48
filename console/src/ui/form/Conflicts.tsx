import { asCell } from '../../as-text.ts';
import { t } from '../../texts/texts.ts';
import { choiceOf } from '../../use-merge.ts';
import type { Conflict } from '../../use-merge.ts';
import styles from './form.module.css';

type ConflictsProps = { conflicts: readonly Conflict[]; labelOf: (field: string) => string };

/** Both values of each field that another operator has changed in the meantime; the operator chooses one. */
export function Conflicts({ conflicts, labelOf }: ConflictsProps) {
  return conflicts.map(({ name, mine, theirs }) => (
    <fieldset key={name} className={styles.conflict} data-conflict={name}>
      <legend>{labelOf(name)}</legend>
      <label>
        <input type="radio" name={choiceOf(name)} value="mine" defaultChecked />
        {t('forms.keepMine', { value: asCell(mine) })}
      </label>
      <label>
        <input type="radio" name={choiceOf(name)} value="theirs" />
        {t('forms.takeTheirs', { value: asCell(theirs) })}
      </label>
    </fieldset>
  ));
}
