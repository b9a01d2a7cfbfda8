import type { ResultField } from '../../../../clients/typescript/src/index.ts';
import { SideBySide } from '../../components/side-by-side.tsx';
import { Nothing } from '../../components/values.tsx';
import { texts } from '../../texts/index.ts';
import { compareFields } from './field-changes.ts';
import type { Part } from './field-changes.ts';
import styles from './versions.module.css';

const words = texts.versions;

interface FieldComparisonProps {
  heads: readonly [string, string];
  before: readonly ResultField[] | null;
  after: readonly ResultField[] | null;
}

/** The fields that were added, removed or asked otherwise: of these only what is another one. */
export function FieldComparison({ heads, before, after }: FieldComparisonProps) {
  const { changes, same } = compareFields(before, after);
  return (
    <>
      <h3>{words.settings.fields}</h3>
      {changes.length === 0 ? (
        <p>{words.reordered}</p>
      ) : (
        <SideBySide
          caption={words.settings.fields}
          heads={heads}
          rows={changes.map(({ name, kind, parts, ...sides }) => ({
            title: name,
            mark: words.change[kind],
            cells: [
              <Parts key="before" field={sides.before} parts={parts} />,
              <Parts key="after" field={sides.after} parts={parts} />,
            ],
          }))}
        />
      )}
      {changes.length > 0 && same.length > 0 && <p>{words.sameFields(same.join(', '))}</p>}
    </>
  );
}

function Parts({ field, parts }: { field: ResultField | undefined; parts: readonly Part[] }) {
  if (!field) return <Nothing />;
  return (
    <ul className={styles['parts']}>
      {parts.map((part) => (
        <li key={part}>
          <span className={styles['part']}>{words.parts[part]}</span> {say(field, part) ?? <Nothing />}
        </li>
      ))}
    </ul>
  );
}

function say(field: ResultField, part: Part): string | undefined {
  if (part === 'type') return texts.assistant.fields.types[field.type];
  if (part === 'evidence') return field.evidence ? texts.fields.yes : texts.fields.no;
  return field[part] === undefined ? undefined : [field[part]].flat().join(', ');
}
