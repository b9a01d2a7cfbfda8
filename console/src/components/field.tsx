/** Forms: the server names every invalid field at once, and each field shows what was said of it. */
import { Field as BaseField } from '@base-ui/react/field';
import { Form as BaseForm } from '@base-ui/react/form';
import { useState } from 'react';
import type { ComponentProps, ReactNode } from 'react';
import { toFailure } from '../server/problem.ts';
import { texts } from '../texts/index.ts';
import { toOptions } from './choice.tsx';
import type { Option } from './choice.tsx';
import controlStyles from './control.module.css';
import styles from './field.module.css';
import { Problem } from './problem.tsx';
import { readForm } from './read-form.ts';

interface FormProps {
  /** Of the last try; its fields are matched by name. */
  error: unknown;
  /** Gets the texts of the fields by name. */
  onSubmit: (values: Record<string, string>) => void;
  children: ReactNode;
}

const NO_ERRORS = {};

export function Form({ error, onSubmit, children }: FormProps) {
  const failure = error == null ? undefined : toFailure(error);
  // What was said of a field may be put right in another one, and an invalid field would hold back the next try.
  const [outdated, setOutdated] = useState<unknown>();
  const errors = failure && error !== outdated ? withParents(failure.fields) : NO_ERRORS;
  return (
    <BaseForm
      className={styles['form']}
      errors={errors}
      onChange={() => setOutdated(error)}
      onSubmit={(event) => {
        event.preventDefault();
        onSubmit(readForm(event.currentTarget));
      }}
    >
      {failure && <Problem error={error} isOfForm />}
      {children}
    </BaseForm>
  );
}

/** Adds each message to the paths above its own: what is wrong with an item is shown where the list is put in. */
function withParents(fields: Record<string, string>): Record<string, string> {
  const all = { ...fields };
  for (const [path, message] of Object.entries(fields)) {
    for (let end = path.lastIndexOf('.'); end > 0; end = path.lastIndexOf('.', end - 1))
      all[path.slice(0, end)] ??= message;
  }
  return all;
}

interface FieldProps {
  /** The name of the API's field. */
  name: string;
  label: string;
  hint?: ReactNode;
  isOptional?: boolean;
}

function Frame({ name, label, hint, isOptional, children }: FieldProps & { children: ReactNode }) {
  return (
    <BaseField.Root name={name} className={styles['field']}>
      <BaseField.Label className={styles['label']}>
        {label}
        {isOptional && <span className={styles['optional']}> ({texts.common.optional})</span>}
      </BaseField.Label>
      {children}
      {hint && <BaseField.Description className={styles['hint']}>{hint}</BaseField.Description>}
      <BaseField.Error className={styles['error']} />
    </BaseField.Root>
  );
}

export function TextField({ name, label, hint, isOptional, ...control }: FieldProps & ComponentProps<'input'>) {
  return (
    <Frame {...{ name, label, hint, isOptional }}>
      <BaseField.Control className={controlStyles['control']} {...control} />
    </Frame>
  );
}

export function TextAreaField({ name, label, hint, isOptional, ...control }: FieldProps & ComponentProps<'textarea'>) {
  return (
    <Frame {...{ name, label, hint, isOptional }}>
      <BaseField.Control render={<textarea {...control} />} className={controlStyles['control']} />
    </Frame>
  );
}

/** A box that is ticked or not; what is not ticked has no text in the form. */
export function CheckField({ name, label, hint, ...control }: FieldProps & ComponentProps<'input'>) {
  return (
    <BaseField.Root name={name} className={styles['field']}>
      <label className={styles['check']}>
        <input type="checkbox" name={name} {...control} />
        {label}
      </label>
      {hint && <BaseField.Description className={styles['hint']}>{hint}</BaseField.Description>}
      <BaseField.Error className={styles['error']} />
    </BaseField.Root>
  );
}

type SelectProps = FieldProps & ComponentProps<'select'> & { options: readonly Option[] };

export function SelectField({ name, label, hint, isOptional, options, ...control }: SelectProps) {
  return (
    <Frame {...{ name, label, hint, isOptional }}>
      <BaseField.Control
        render={<select {...control}>{toOptions(options)}</select>}
        className={controlStyles['control']}
      />
    </Frame>
  );
}

/** Fields in a panel of a form. */
export const Fields = (props: ComponentProps<'div'>) => <div className={styles['form']} {...props} />;

export const FormButtons = ({ children }: { children: ReactNode }) => (
  <div className={styles['buttons']}>{children}</div>
);
