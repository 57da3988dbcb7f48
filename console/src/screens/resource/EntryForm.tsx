import { useEffect, useRef, useState } from 'react';
import type { ResourceDescription } from '../../../../identity/src/manage/answers.ts';
import type { Versioned } from '../../api.ts';
import { t } from '../../texts/texts.ts';
import { Conflicts } from '../../ui/form/Conflicts.tsx';
import { Form } from '../../ui/form/Form.tsx';
import { Note } from '../../ui/note/Note.tsx';
import { useChange } from '../../use-change.ts';
import { useMerge } from '../../use-merge.ts';
import { Fields } from './Fields.tsx';
import { findPatch, labelOf } from './resource.ts';
import type { Entry } from './resource.ts';
import styles from './resource.module.css';

type EntryFormProps = {
  resource: ResourceDescription;
  path: string;
  stored: Versioned<Entry>;
  isReadOnly: boolean;
};

/** The form of an entry, which begins again from what is stored after each save. */
export function EntryForm({ stored, ...props }: EntryFormProps) {
  const [base, setBase] = useState(stored);
  const [isSaved, setSaved] = useState(false);
  const fields = useRef<HTMLFieldSetElement>(null);
  const { isReadOnly } = props;
  useEffect(() => {
    // The button that opened the form is gone.
    if (!isReadOnly)
      fields.current?.querySelector<HTMLElement>(':is(input, select, textarea):not([readonly])')?.focus();
  }, [isReadOnly]);
  // The page has read the entry again after a save.
  if (isSaved && stored.etag !== base.etag) setBase(stored);
  return (
    <fieldset ref={fields} disabled={isReadOnly} className={styles.entry}>
      {isSaved && (
        <Note kind="done" takesFocus>
          {t('forms.saved')}
        </Note>
      )}
      <MergeForm key={base.etag} {...props} stored={base} onSaved={setSaved} />
    </fieldset>
  );
}

/** Saves only what was changed. */
function MergeForm({
  resource,
  path,
  stored,
  isReadOnly,
  onSaved,
}: EntryFormProps & { onSaved: (isSaved: boolean) => void }) {
  const { run, isRunning, error } = useChange();
  const { shown, conflicts, save } = useMerge(path, stored);
  const submit = async (values: Readonly<Record<string, string>>): Promise<void> => {
    onSaved(false);
    const patch = findPatch(resource, { entry: shown, values });
    if ((await run(() => save(patch, values))) !== undefined) onSaved(true);
  };
  return (
    <Form
      fields={Object.keys(resource.fields)}
      submitLabel={t('forms.save')}
      error={error}
      isRunning={isRunning}
      onSubmit={(values) => void submit(values)}
      isReadOnly={isReadOnly}
    >
      <Conflicts conflicts={conflicts} labelOf={labelOf} />
      <Fields resource={resource} entry={shown} />
    </Form>
  );
}
