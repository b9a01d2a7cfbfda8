/** The values of an assistant's fields with the quotes that support them. */
import type { ReactNode } from 'react';
import type { ResultField } from '../../../contract/fields/result-fields.ts';
import { FieldTitle, titlesOf } from '../fields/field-title.tsx';
import { texts } from '../texts/index.ts';
import { FieldAnswer, type FieldAnswerProps } from './field-answer.tsx';
import styles from './fields-table.module.css';

const words = texts.session.fields;

interface FieldsTableProps extends Omit<FieldAnswerProps, 'field' | 'titleOf'> {
  fields: readonly ResultField[];
  /** Rows below the fields, such as the topics. */
  parts?: readonly { title: string; content: ReactNode }[];
}

export function FieldsTable({ fields, parts = [], ...shown }: FieldsTableProps) {
  return (
    <table className={styles['fields']}>
      <caption className="visually-hidden">{words.caption}</caption>
      <colgroup>
        <col className={styles['names']} />
      </colgroup>
      <thead className="visually-hidden">
        <tr>
          <th scope="col">{texts.versions.properties.description}</th>
          <th scope="col">{texts.lists.answer}</th>
        </tr>
      </thead>
      <tbody>
        {fields.map((field) => (
          <tr key={field.name}>
            <th scope="row" title={field.description}>
              <FieldTitle {...field} />
            </th>
            <td>
              <FieldAnswer field={field} titleOf={titlesOf(fields)} {...shown} />
            </td>
          </tr>
        ))}
        {parts.map(({ title, content }) => (
          <tr key={title}>
            <th scope="row">{title}</th>
            <td>{content}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
