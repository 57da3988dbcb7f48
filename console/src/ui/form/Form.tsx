import { createContext, use, useEffect, useId, useRef } from 'react';
import type { ReactNode } from 'react';
import type { ProblemError as FieldError } from '../../../../identity/src/manage/answers.ts';
import type { ProblemError } from '../../api.ts';
import { t } from '../../texts/texts.ts';
import { Button } from '../button/Button.tsx';
import { ProblemNote } from '../note/ProblemNote.tsx';
import { describeReason } from './reasons.ts';
import styles from './form.module.css';

const ErrorsContext = createContext<readonly FieldError[]>([]);

export type FormProps = {
  children: ReactNode;
  /** The texts of the form, trimmed, by field. */
  onSubmit: (values: Readonly<Record<string, string>>) => void;
  submitLabel: string;
  onCancel?: () => void;
  error: ProblemError | undefined;
  isRunning: boolean;
  /** Names of the fields, which show their own errors. */
  fields: readonly string[];
  isDangerous?: boolean;
  isReadOnly?: boolean;
  /** The form is the page, which begins at its first field. */
  takesFocus?: boolean;
};

/** A form whose errors come from the service and stand at the fields. Nothing is checked in the browser. */
export function Form({
  children,
  onSubmit,
  submitLabel,
  onCancel,
  error,
  isRunning,
  fields,
  isDangerous = false,
  isReadOnly = false,
  takesFocus = false,
}: FormProps) {
  const form = useRef<HTMLFormElement>(null);
  const errors = error?.problem.errors ?? [];
  useEffect(() => {
    if (takesFocus) form.current?.querySelector<HTMLElement>('input, select, textarea')?.focus();
  }, [takesFocus]);
  useEffect(() => {
    const field = error && form.current?.querySelector<HTMLElement>('[aria-invalid]');
    field?.closest('details')?.setAttribute('open', '');
    field?.focus();
  }, [error]);
  return (
    <form
      ref={form}
      className={styles.form}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        if (!isRunning) onSubmit(valuesOf(event.currentTarget));
      }}
    >
      {error && <ProblemNote error={error} shownAt={fields.map((field) => `/${field}`)} />}
      <ErrorsContext value={errors}>{children}</ErrorsContext>
      {!isReadOnly && (
        <div className={styles.buttons}>
          <Button isSubmit variant={isDangerous ? 'danger' : 'primary'} isPending={isRunning}>
            {submitLabel}
          </Button>
          {onCancel && (
            <Button variant="quiet" onPress={onCancel}>
              {t('forms.cancel')}
            </Button>
          )}
        </div>
      )}
    </form>
  );
}

function valuesOf(form: HTMLFormElement): Record<string, string> {
  const entries = [...new FormData(form)];
  return Object.fromEntries(
    entries.map(([name, value]) => [name, typeof value === 'string' ? value.trim() : '']),
  );
}

type FieldProps = { name: string; label: string; hint?: string | undefined };

/** The ids and the error of a field. */
function useField({ name, hint }: Pick<FieldProps, 'name' | 'hint'>) {
  const id = useId();
  const found = use(ErrorsContext).find(({ pointer }) => pointer === `/${name}`);
  const reason = found && describeReason(found);
  const described = [hint !== undefined && `${id}-hint`, reason !== undefined && `${id}-error`].filter(
    Boolean,
  );
  const attributes = {
    id,
    name,
    'aria-invalid': reason === undefined ? undefined : true,
    'aria-describedby': described.length > 0 ? described.join(' ') : undefined,
  };
  return { id, reason, attributes };
}

function Field({
  label,
  hint,
  id,
  reason,
  children,
}: FieldProps & { id: string; reason: string | undefined; children: ReactNode }) {
  return (
    <div className={styles.field}>
      <label htmlFor={id}>{label}</label>
      {hint !== undefined && (
        <span id={`${id}-hint`} className={styles.hint}>
          {hint}
        </span>
      )}
      {children}
      {reason !== undefined && (
        <span id={`${id}-error`} className={styles.error} data-error>
          {reason}
        </span>
      )}
    </div>
  );
}

type TextFieldProps = FieldProps & {
  type?: 'text' | 'email' | 'tel' | 'number' | 'password';
  defaultValue?: string | undefined;
  takesFocus?: boolean;
  isReadOnly?: boolean;
  isLong?: boolean;
};

export function TextField({
  type = 'text',
  defaultValue,
  takesFocus,
  isReadOnly,
  isLong,
  ...field
}: TextFieldProps) {
  const { id, reason, attributes } = useField(field);
  const shared = {
    ...attributes,
    defaultValue,
    readOnly: isReadOnly,
    autoComplete: 'off',
    spellCheck: false,
    dir: 'auto',
  };
  const focus = useFocus(takesFocus);
  return (
    <Field {...field} id={id} reason={reason}>
      {isLong ? <textarea {...shared} rows={4} /> : <input {...shared} ref={focus} type={type} />}
    </Field>
  );
}

/** Focuses the first field of a form that has just opened. */
function useFocus(isWanted = false) {
  const element = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (isWanted) element.current?.focus();
  }, [isWanted]);
  return element;
}

export function SelectField({
  choices,
  defaultValue,
  ...field
}: FieldProps & { choices: readonly { value: string; text: string }[]; defaultValue?: string | undefined }) {
  const { id, reason, attributes } = useField(field);
  return (
    <Field {...field} id={id} reason={reason}>
      <select {...attributes} defaultValue={defaultValue}>
        {choices.map(({ value, text }) => (
          <option key={value} value={value}>
            {text}
          </option>
        ))}
      </select>
    </Field>
  );
}

export function CheckboxField({
  defaultChecked,
  onChange,
  ...field
}: FieldProps & { defaultChecked?: boolean; onChange?: (isChecked: boolean) => void }) {
  const { id, reason, attributes } = useField(field);
  return (
    <div className={styles.field}>
      <div className={styles.check}>
        <input
          {...attributes}
          type="checkbox"
          value="true"
          defaultChecked={defaultChecked}
          onChange={({ target }) => onChange?.(target.checked)}
        />
        <label htmlFor={id}>{field.label}</label>
      </div>
      {field.hint !== undefined && (
        <span id={`${id}-hint`} className={styles.hint}>
          {field.hint}
        </span>
      )}
      {reason !== undefined && (
        <span id={`${id}-error`} className={styles.error} data-error>
          {reason}
        </span>
      )}
    </div>
  );
}
