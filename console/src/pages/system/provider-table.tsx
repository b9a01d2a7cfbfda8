import { LLM_PROVIDERS, STT_PROVIDERS } from '../../../../contract/constants.ts';
import type { LlmProviderName, SttProviderName } from '../../../../contract/constants.ts';
import { LLM_PROVIDER_FACTS, STT_PROVIDER_FACTS, sttLimits } from '../../../../contract/providers.ts';
import { DataTable } from '../../components/data-table.tsx';
import type { Column } from '../../components/data-table.tsx';
import { Duration, Nothing } from '../../components/values.tsx';
import { formatBytes } from '../../format/numbers.ts';
import { texts } from '../../texts/index.ts';

interface Row {
  name: LlmProviderName | SttProviderName;
  step: 'transcription' | 'analysis';
  model: string | null;
  maxBytes: number | null;
  maxDurationS: number | null;
}

const ROWS: readonly Row[] = [
  ...STT_PROVIDERS.map((name): Row => {
    const { max_bytes, max_duration_s } = sttLimits(name, null);
    const model = STT_PROVIDER_FACTS[name].default_model;
    return { name, step: 'transcription', model, maxBytes: max_bytes, maxDurationS: max_duration_s };
  }),
  ...LLM_PROVIDERS.map((name): Row => ({
    ...{ name, step: 'analysis', maxBytes: null, maxDurationS: null },
    model: LLM_PROVIDER_FACTS[name].default_model,
  })),
];

/** The providers, the model of an assistant that names none, and what a recording may be. */
export const ProviderTable = () => (
  <DataTable caption={texts.system.providers} columns={COLUMNS} rows={ROWS} rowKey={({ name }) => name} />
);

const COLUMNS: Column<Row>[] = [
  { key: 'name', title: texts.usage.groups.provider, cell: ({ name }) => name },
  { key: 'step', title: texts.overview.step, isSecondary: true, cell: ({ step }) => texts.overview.steps[step] },
  {
    key: 'model',
    title: texts.system.defaultModel,
    isWide: true,
    cell: ({ model }) => (model === null ? texts.usage.noModel : <code>{model}</code>),
  },
  {
    key: 'bytes',
    title: texts.system.maxBytes,
    align: 'end',
    cell: ({ maxBytes }) => (maxBytes === null ? <Nothing /> : formatBytes(maxBytes)),
  },
  {
    key: 'duration',
    title: texts.system.maxDuration,
    align: 'end',
    isSecondary: true,
    cell: ({ maxDurationS }) => <Duration ms={maxDurationS === null ? null : maxDurationS * 1_000} />,
  },
];
