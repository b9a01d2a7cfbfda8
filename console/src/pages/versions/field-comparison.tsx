import type { ResultField } from 'conversation-analysis-client';
import { SideBySide } from '../../components/side-by-side.tsx';
import { Nothing } from '../../components/values.tsx';
import { texts } from '../../texts/index.ts';
import styles from './versions.module.css';

const words = texts.versions;

const PROPERTIES = ['type', 'description', 'options', 'minimum', 'maximum', 'evidence'] as const;
type Property = (typeof PROPERTIES)[number];

interface FieldComparisonProps {
  heads: readonly [string, string];
  before: readonly ResultField[];
  after: readonly ResultField[];
}

/** Shows the added, removed and changed fields. Of changed fields, only the different properties. */
export function FieldComparison({ heads, before, after }: FieldComparisonProps) {
  const names = [...new Set([...after, ...before].map(({ name }) => name))];
  const compared = names.map((name) => {
    const [former, later] = [before, after].map((fields) => fields.find((field) => field.name === name));
    const differing = PROPERTIES.filter((key) => JSON.stringify(former?.[key]) !== JSON.stringify(later?.[key]));
    return { name, former, later, differing, change: !former ? 'added' : !later ? 'removed' : 'changed' } as const;
  });
  const changes = compared.filter(({ differing }) => differing.length > 0);
  const same = compared.filter(({ differing }) => differing.length === 0);
  if (changes.length === 0) return <p>{words.reordered}</p>;
  return (
    <>
      <SideBySide
        caption={words.settings.fields}
        heads={heads}
        rows={changes.map(({ name, former, later, differing, change }) => ({
          title: later?.title ?? former?.title ?? name,
          mark: words.change[change],
          cells: [<Properties field={former} shown={differing} />, <Properties field={later} shown={differing} />],
        }))}
      />
      {same.length > 0 && <p>{words.same(same.map(({ name, later }) => later?.title ?? name).join(', '))}</p>}
    </>
  );
}

function Properties({ field, shown }: { field: ResultField | undefined; shown: readonly Property[] }) {
  if (!field) return <Nothing />;
  return (
    <ul className={styles['properties']}>
      {shown.map((property) => (
        <li key={property}>
          <span className={styles['property']}>{words.properties[property]}</span>{' '}
          {print(field, property) ?? <Nothing />}
        </li>
      ))}
    </ul>
  );
}

function print(field: ResultField, property: Property): string | undefined {
  if (property === 'type') return texts.assistant.fields.types[field.type];
  if (property === 'evidence') return field.evidence ? texts.fields.yes : texts.fields.no;
  return field[property] === undefined ? undefined : [field[property]].flat().join(', ');
}
