/** What two versions of an assistant ask differently. */
import type { ResultField } from '../../../../clients/typescript/src/index.ts';

/** What a field is made of beside its name, in the order in which it is shown. */
export const PARTS = ['type', 'description', 'options', 'minimum', 'maximum', 'evidence'] as const;
export type Part = (typeof PARTS)[number];

export interface FieldChange {
  name: string;
  kind: 'added' | 'removed' | 'changed';
  before: ResultField | undefined;
  after: ResultField | undefined;
  /** The parts that differ; all that it has of a field that only one version asks. */
  parts: Part[];
}

export interface FieldChanges {
  changes: FieldChange[];
  /** Names of those that both ask in the same words. */
  same: string[];
}

/** Returns the fields of both, those of the later version first. */
export function compareFields(
  before: readonly ResultField[] | null,
  after: readonly ResultField[] | null,
): FieldChanges {
  const [former, later] = [before ?? [], after ?? []];
  const names = new Set([...later, ...former].map(({ name }) => name));
  const compared = [...names].map((name) => {
    const of = (fields: readonly ResultField[]) => fields.find((field) => field.name === name);
    return toChange(name, of(former), of(later));
  });
  return {
    changes: compared.filter(({ parts }) => parts.length > 0),
    same: compared.filter(({ parts }) => parts.length === 0).map(({ name }) => name),
  };
}

function toChange(name: string, before: ResultField | undefined, after: ResultField | undefined): FieldChange {
  const kind = !before ? 'added' : !after ? 'removed' : 'changed';
  const parts = PARTS.filter((part) => JSON.stringify(before?.[part]) !== JSON.stringify(after?.[part]));
  return { name, kind, before, after, parts };
}
