/** A verdict to take along: as text, as CSV, and as one printed page. */
import type { BatchAccuracy, FieldVerdict } from 'conversation-analysis-client';
import { BYTE_ORDER_MARK, toCsvLine, type CsvCell } from '../../../../contract/values/csv-line.ts';
import { Button } from '../../components/button.tsx';
import { CopyButton } from '../../components/copy-button.tsx';
import { saveFile } from '../../components/save-file.ts';
import type { TitleOf } from '../../fields/field-title.tsx';
import { groupVerdicts, sayVerdict, sortVerdicts } from '../../lists/verdicts.tsx';
import { texts } from '../../texts/index.ts';

const words = texts.experiment;

interface TakeAlongProps {
  id: string;
  name: string;
  report: BatchAccuracy;
  titleOf: TitleOf;
  /** What the verdicts are based on. */
  basis: string;
}

/** A member of a verdict, or of one of its shares. */
const CELLS: [name: string, read: (field: FieldVerdict) => CsvCell][] = [
  ['name', ({ name }) => name],
  ['verdict', ({ verdict }) => verdict],
  ['judged', ({ before }) => before.judged],
  ['right_before', ({ before }) => before.right],
  ['share_before', ({ before }) => before.share],
  ['right_after', ({ after }) => after.right],
  ['share_after', ({ after }) => after.share],
  ['difference', ({ difference }) => difference],
  ['lower', ({ lower }) => lower],
  ['upper', ({ upper }) => upper],
  ['fixed', ({ only_after }) => only_after],
  ['broken', ({ only_before }) => only_before],
  ['p_adjusted', ({ p_adjusted }) => p_adjusted],
];

const toCsv = ({ fields }: BatchAccuracy, titleOf: TitleOf) =>
  [
    ['title', ...CELLS.map(([name]) => name)],
    ...sortVerdicts(fields).map((field) => [titleOf(field.name), ...CELLS.map(([, read]) => read(field))]),
  ]
    .map((cells) => toCsvLine(cells))
    .join('');

export function TakeAlong({ id, name, report, titleOf, basis }: TakeAlongProps) {
  const verdicts =
    report.chosen_by.length > 0
      ? [words.chosen]
      : groupVerdicts(report.fields).map((group) => Object.values(sayVerdict(group, titleOf)).join(' '));
  const text = () => [name, '', ...verdicts, '', basis, location.href].join('\n');
  return (
    <>
      <CopyButton text={text} label={words.copyText} word={words.copyText} />
      <Button onClick={() => saveFile(`${id}.csv`, BYTE_ORDER_MARK + toCsv(report, titleOf))}>CSV</Button>
      <Button onClick={() => window.print()}>{words.print}</Button>
    </>
  );
}
