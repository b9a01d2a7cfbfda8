/** Forms. The server reports all invalid inputs at once, and each input shows its message. */
import { LIMITS } from '../../../contract/values/limits.ts';
import { Field as BaseField } from '@base-ui/react/field';
import { Form as BaseForm } from '@base-ui/react/form';
import { useEffect, useLayoutEffect, useMemo, useRef, useState, type ComponentProps, type ReactNode } from 'react';
import { fill } from '../format/fill.ts';
import { sentenceOf, toFailure } from '../server/problem.ts';
import { texts } from '../texts/index.ts';
import { Button } from './button.tsx';
import { toOptions, type Option } from './choice.tsx';
import controlStyles from './control.module.css';
import styles from './field.module.css';
import { Problem } from './problem-note.tsx';
import { UnsavedGuard } from './unsaved-guard.tsx';
import { markEdited, markOpened, markSaved, readForm } from './form-values.ts';

interface FormProps {
  /** The error of the last request. Its paths are the names of the inputs. */
  error: unknown;
  /** Receives the values of the inputs by name. */
  onSubmit: (values: Record<string, string>) => void;
  /** Asks before typed text is lost. Default: true. */
  isGuarded?: boolean;
  /** Whether its first values were typed on another page, and are not saved there. */
  isEdited?: boolean;
  children: ReactNode;
}

export function Form({ error, onSubmit, isGuarded = true, isEdited = false, children }: FormProps) {
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => {
    if (isEdited && form.current) markEdited(form.current);
  }, [isEdited]);
  // Only visible inputs can show an error and receive the focus.
  useLayoutEffect(() => {
    const paths = error == null ? {} : toFieldErrors(error);
    unfold([...(form.current?.elements ?? [])].filter((input) => (input.getAttribute('name') ?? '') in paths));
  }, [error]);
  const undoSaved = useRef<() => void>(undefined);
  useEffect(() => {
    if (error == null) return;
    // The server rejected the values: they are not saved.
    undoSaved.current?.();
    // The button can be far below the message. Otherwise, the first invalid input gets the focus.
    if (!toFailure(error).errors?.length)
      form.current?.querySelector('[role="alert"]')?.scrollIntoView({ block: 'nearest' });
  }, [error]);
  // Any change hides the errors: it may have fixed them, and an invalid input would block the next submit.
  const [outdated, setOutdated] = useState<unknown>();
  const errors = useMemo(() => (error === outdated ? {} : toFieldErrors(error)), [error, outdated]);
  const open = ({ currentTarget }: { currentTarget: HTMLFormElement }) => markOpened(currentTarget);
  return (
    <BaseForm
      className={`stack ${styles['form']}`}
      ref={form}
      errors={errors}
      onFocus={open}
      onPointerDown={open}
      // Text can arrive without either, for example in a window without the focus.
      onBeforeInput={open}
      onChange={() => setOutdated(error)}
      onSubmitCapture={({ currentTarget }) => unfold(currentTarget.querySelectorAll(':invalid'))}
      onSubmit={(event) => {
        event.preventDefault();
        undoSaved.current = markSaved(event.currentTarget);
        onSubmit(readForm(event.currentTarget));
      }}
    >
      {error != null && <Problem error={error} isOfForm />}
      {children}
      {isGuarded && <UnsavedGuard form={form} />}
    </BaseForm>
  );
}

/** Opens the folded parts of a form that contain these inputs. */
function unfold(inputs: Iterable<Element>): void {
  for (const input of inputs) {
    for (let part = input.closest('details'); part; part = part.parentElement?.closest('details') ?? null)
      part.open = true;
  }
}

/** Returns the messages by path and by parent path. The input of a list shows the errors of its items. */
function toFieldErrors(error: unknown): Record<string, string> {
  const errors = toFailure(error).errors ?? [];
  const messages = Object.fromEntries(errors.map(({ path, message }) => [path, sentenceOf(message)]));
  for (const { path, message } of errors) {
    for (let end = path.lastIndexOf('.'); end > 0; end = path.lastIndexOf('.', end - 1))
      messages[path.slice(0, end)] ??= sentenceOf(message);
  }
  return messages;
}

interface FieldProps {
  /** The path of the value in the request. */
  name: string;
  label: string;
  hint?: ReactNode;
  isOptional?: boolean;
}

const words = texts.inputs.errors;

type Limits = Pick<ComponentProps<'input'>, 'type' | 'min' | 'max' | 'step' | 'minLength'>;

/** Returns why the browser rejects the value. The browser's own message may be in another language than the console. */
function wordRejection(
  validity: Partial<Record<keyof ValidityState, boolean | null>>,
  { type, min, max, step, minLength }: Limits,
) {
  const messages = {
    valueMissing: words.required,
    typeMismatch: type === 'url' ? words.url : words.email,
    badInput: words.number,
    tooShort: words.min_characters,
    rangeUnderflow: words.minimum,
    rangeOverflow: words.maximum,
    stepMismatch: step === 1 ? words.integer : words.multiple,
    patternMismatch: words.format,
  };
  const [, message] = Object.entries(messages).find(([name]) => validity[name as keyof typeof messages]) ?? [];
  return message && fill(message, { min: String(minLength ?? min), max: String(max), step: String(step) });
}

const Problems = ({ limits = {} }: { limits?: Limits | undefined }) => (
  <BaseField.Validity>
    {({ validity }) => {
      const rejection = wordRejection(validity, limits);
      return <BaseField.Error className={styles['error']} {...(rejection && { children: rejection })} />;
    }}
  </BaseField.Validity>
);

const Frame = ({
  name,
  label,
  hint,
  isOptional,
  limits,
  children,
}: FieldProps & { limits?: Limits | undefined; children: ReactNode }) => (
  <BaseField.Root name={name} className={styles['field']}>
    <BaseField.Label className={styles['label']}>
      {label}
      {isOptional && <span className={styles['optional']}> ({texts.labels.optional})</span>}
    </BaseField.Label>
    {children}
    {hint && <BaseField.Description className={styles['hint']}>{hint}</BaseField.Description>}
    <Problems limits={limits} />
  </BaseField.Root>
);

export const TextField = ({ name, label, hint, isOptional, ...control }: FieldProps & ComponentProps<'input'>) => (
  <Frame {...{ name, label, hint, isOptional }} limits={control}>
    <BaseField.Control dir="auto" className={controlStyles['control']} {...control} />
  </Frame>
);

/** Without the value, an error would stay beside a value that a program set. */
const controlled = ({ value }: { value?: string | number | readonly string[] | undefined }) =>
  value === undefined ? {} : { value };

type TextAreaProps = FieldProps & ComponentProps<'textarea'>;

export const TextAreaField = ({ name, label, hint, isOptional, ...control }: TextAreaProps) => (
  <Frame {...{ name, label, hint, isOptional }}>
    <BaseField.Control
      render={<textarea dir="auto" {...control} />}
      className={controlStyles['control']}
      {...controlled(control)}
    />
  </Frame>
);

/** A checkbox. The form has no value for an unchecked one. */
export const CheckField = ({ name, label, hint, ...control }: FieldProps & ComponentProps<'input'>) => (
  <BaseField.Root name={name} className={styles['field']}>
    <label className={styles['check']}>
      <input type="checkbox" name={name} {...control} />
      {label}
    </label>
    {hint && <BaseField.Description className={styles['hint']}>{hint}</BaseField.Description>}
    <Problems />
  </BaseField.Root>
);

/** Several inputs with one title and one error. */
export const FieldGroup = ({ name, label, hint, children }: FieldProps & { children: ReactNode }) => (
  <BaseField.Root name={name} className={styles['field']}>
    <fieldset className={styles['group']}>
      <legend className={styles['label']}>{label}</legend>
      {children}
    </fieldset>
    {hint && <BaseField.Description className={styles['hint']}>{hint}</BaseField.Description>}
    <Problems />
  </BaseField.Root>
);

/** Radio buttons, initially without a selection. */
export const RadioField = ({ options, ...field }: Omit<FieldProps, 'hint'> & { options: readonly Option[] }) => (
  <FieldGroup {...field}>
    {options.map(({ value, label }) => (
      <label key={value} className={styles['check']}>
        <input type="radio" name={field.name} value={value} />
        {label}
      </label>
    ))}
  </FieldGroup>
);

type SelectProps = FieldProps & ComponentProps<'select'> & { options: readonly Option[] };

export const SelectField = ({ name, label, hint, isOptional, options, ...control }: SelectProps) => (
  <Frame {...{ name, label, hint, isOptional }}>
    <BaseField.Control
      render={<select {...control}>{toOptions(options)}</select>}
      className={controlStyles['control']}
      {...controlled(control)}
    />
  </Frame>
);

interface PasswordFieldProps extends ComponentProps<'input'> {
  name: string;
  label: string;
  isNew?: boolean;
}

export const PasswordField = ({ isNew = false, ...field }: PasswordFieldProps) => (
  <TextField
    type="password"
    autoComplete={isNew ? 'new-password' : 'current-password'}
    hint={isNew && texts.inputs.passwordHint}
    minLength={isNew ? LIMITS.password.min : undefined}
    required
    {...field}
  />
);

/** A code of the second factor. */
export const CodeField = (props: Partial<ComponentProps<typeof TextField>>) => (
  <TextField
    name="code"
    label={texts.inputs.code}
    hint={texts.inputs.codeHint}
    autoComplete="one-time-code"
    minLength={LIMITS.code.min}
    maxLength={LIMITS.code.max}
    required
    {...props}
  />
);

/** Inputs in a panel of a form. */
export const Fields = (props: ComponentProps<'div'>) => <div className={`stack ${styles['form']}`} {...props} />;

/** Short inputs beside each other. */
export const Columns = (props: ComponentProps<'div'>) => <div className={styles['columns']} {...props} />;

interface FormButtonsProps {
  /** The label of the submit button. */
  submit?: string;
  isDisabled?: boolean;
  look?: 'primary' | 'danger';
  onCancel?: (() => void) | undefined;
  children?: ReactNode;
}

export const FormButtons = ({ submit, isDisabled, look = 'primary', onCancel, children }: FormButtonsProps) => (
  <div className={`row ${styles['buttons']}`}>
    {onCancel && <Button onClick={onCancel}>{texts.labels.cancel}</Button>}
    {submit && (
      <Button type="submit" look={look} disabled={isDisabled}>
        {submit}
      </Button>
    )}
    {children}
  </div>
);
