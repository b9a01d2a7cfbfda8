/** The results of an assistant by group, one share per line. */
import type { AccuracyReport, Share } from '../../contract/reviews/accuracy.ts';
import type { FieldCounts, ResultsReport } from '../../contract/service/results.ts';
import type { CsvCell } from '../../contract/values/csv-line.ts';
import type { MetadataGroup } from '../../contract/values/metadata-group.ts';
import { shareOf } from '../reviews/verdicts.ts';

const HEADER = [
  'field',
  'title',
  'by',
  'group',
  'others',
  'measure',
  'value',
  'count',
  'of',
  'share',
  'lower',
  'upper',
];

/** A group of the sessions, by the version or a value of the metadata. */
interface Group {
  version?: number;
  group?: string | null;
  others?: boolean;
}

/** Returns the columns `group` and `others`. */
const cellsOf = ({ version, group, others }: Group): CsvCell[] => [version ?? group ?? null, others ?? false];

const shareCells = ({ right, judged, share, lower, upper }: Share): CsvCell[] => [right, judged, share, lower, upper];

export function toResultLines(
  { fields }: ResultsReport,
  accuracy: AccuracyReport,
  by: MetadataGroup | undefined,
): CsvCell[][] {
  const lines = fields.flatMap((counts) => {
    const reviewed = accuracy.fields.find(({ name }) => name === counts.name);
    const said = (by ? counts.by_group : counts.by_version) ?? [];
    const judged = (by ? reviewed?.by_group : reviewed?.by_version) ?? [];
    return [
      ...said.flatMap((group) => saidLines(counts, group).map((cells) => [...cellsOf(group), ...cells])),
      ...judged.map((group) => [...cellsOf(group), 'right', null, ...shareCells(group)]),
    ].map((cells) => [counts.name, counts.title ?? null, by ?? 'version', ...cells]);
  });
  return [HEADER, ...lines];
}

/** Returns the lines of what the sessions of a group say: shares of the sessions with a value. */
function saidLines(
  { values, numbers }: FieldCounts,
  group: Omit<FieldCounts['by_version'][number], 'version'>,
): CsvCell[][] {
  const { count, null_count, mean, value_counts } = group;
  const answered = count - null_count;
  const average: CsvCell[] = ['mean', mean, answered, count, null, null, null];
  return [
    ['not_mentioned', null, ...shareCells(shareOf(null_count, count))],
    ...values.map((value, index): CsvCell[] => {
      const said = value_counts[index] ?? 0;
      // A list can contain a value twice.
      return [
        'value',
        value,
        ...(said > answered ? [said, answered, null, null, null] : shareCells(shareOf(said, answered))),
      ];
    }),
    ...(numbers ? [average] : []),
  ];
}
