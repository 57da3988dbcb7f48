import type { ResourceDescription } from '../../../../identity/src/manage/answers.ts';
import { asText } from '../../as-text.ts';
import { t } from '../../texts/texts.ts';
import { CheckboxField, SelectField, TextField } from '../../ui/form/Form.tsx';
import { formFields, labelOf } from './resource.ts';
import type { Entry } from './resource.ts';
import styles from './resource.module.css';

type FieldsProps = { resource: ResourceDescription; entry: Entry; isNew?: boolean };

/** The fields of a resource; open are those that a new entry requires, or that an entry has set. */
export function Fields({ resource, entry, isNew = false }: FieldsProps) {
  const all = formFields(resource, { isNew });
  const isOpen = ({ name, field }: (typeof all)[number]): boolean =>
    field.required || (!isNew && asText(entry[name]) !== asText(field.initial));
  const show = (some: typeof all) =>
    some.map((one) => <OneField key={one.name} {...one} value={entry[one.name] ?? one.field.initial} />);
  const later = all.filter((one) => !isOpen(one));
  return (
    <>
      {show(all.filter(isOpen))}
      {later.length > 0 && (
        <details className={styles.later}>
          <summary>{t('resource.allSettings')}</summary>
          <div>{show(later)}</div>
        </details>
      )}
    </>
  );
}

type OneFieldProps = ReturnType<typeof formFields>[number] & { value: unknown };

function OneField({ name, field, isReadOnly, value }: OneFieldProps) {
  const shared = { name, label: labelOf(name), hint: field.help };
  if (field.kind === 'flag') return <CheckboxField {...shared} defaultChecked={value === true} />;
  const text = asText(value);
  if (field.choices && field.kind !== 'list') {
    const choices = ['', ...field.choices].map((choice) => ({
      value: choice,
      text: choice === '' ? '–' : choice,
    }));
    return <SelectField {...shared} choices={choices} defaultValue={text} />;
  }
  return (
    <TextField
      {...shared}
      type={field.kind === 'number' ? 'number' : 'text'}
      defaultValue={text}
      isReadOnly={isReadOnly}
      isLong={field.kind === 'list' || text.length > longText}
    />
  );
}

/** From this length a text has several lines: certificates, lists, policies. */
const longText = 120;
