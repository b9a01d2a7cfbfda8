import { useQuery } from '@tanstack/react-query';
import { CircleCheck, CircleDashed, FlaskConical } from 'lucide-react';
import type { Provider } from 'conversation-analysis-client';
import { listProvidersOptions } from 'conversation-analysis-client/react-query';
import { DataTable, type Column } from '../../components/data-table.tsx';
import { Loaded } from '../../components/loaded.tsx';
import { Duration, Money, Nothing } from '../../components/values.tsx';
import { formatBytes } from '../../format/numbers.ts';
import { accessOf } from '../../format/providers.ts';
import { texts } from '../../texts/index.ts';

const words = texts.system;

type Model = Provider['models'][number];

interface Row extends Omit<Provider, 'models'> {
  /** Omitted if none of its models is allowed. */
  model?: Model;
}

/** The providers with the prices and limits of their models. */
export function ProviderTable() {
  return (
    <Loaded query={useQuery(listProvidersOptions())} lines={7}>
      {({ data }) => (
        <DataTable
          caption={words.providers}
          columns={COLUMNS}
          rows={data.flatMap(rowsOf)}
          rowKey={({ provider, step, model }) => `${step}/${provider}/${model?.model ?? ''}`}
        />
      )}
    </Loaded>
  );
}

const rowsOf = ({ models, ...provider }: Provider): Row[] =>
  models.length === 0 ? [provider] : models.map((model) => ({ ...provider, model }));

const ACCESS_ICONS = { simulated: FlaskConical, configured: CircleCheck, noKey: CircleDashed };

function Access({ provider }: { provider: Row }) {
  const access = accessOf(provider);
  const Icon = ACCESS_ICONS[access];
  return (
    <span className="nowrap">
      <Icon size={13} aria-hidden /> {words[access]}
    </span>
  );
}

function ModelName({ row: { model, default_model, any_model } }: { row: Row }) {
  if (!model) return any_model ? <Nothing /> : words.noneAllowed;
  if (model.model === null) return texts.usage.noModel;
  return (
    <>
      <code>{model.model}</code> {model.model === default_model && words.byDefault}
    </>
  );
}

function Prices({ model }: { model: Model | undefined }) {
  const prices = model?.prices;
  if (!prices) return <Nothing />;
  if (prices.audio_hour_usd !== null) return <Money usd={prices.audio_hour_usd} />;
  return (
    <span className="nowrap">
      <Money usd={prices.input_mtok_usd} /> / <Money usd={prices.output_mtok_usd} />
    </span>
  );
}

const COLUMNS: Column<Row>[] = [
  {
    key: 'name',
    title: texts.usage.groups.provider,
    cell: ({ provider }) => <span className="nowrap">{texts.providers[provider]}</span>,
  },
  { key: 'access', title: words.access, cell: (row) => <Access provider={row} /> },
  { key: 'step', title: texts.overview.step, isSecondary: true, cell: ({ step }) => texts.overview.steps[step] },
  { key: 'model', title: texts.usage.groups.model, isWide: true, cell: (row) => <ModelName row={row} /> },
  { key: 'price', title: words.price, align: 'end', cell: ({ model }) => <Prices model={model} /> },
  {
    key: 'bytes',
    title: words.maxBytes,
    align: 'end',
    isSecondary: true,
    cell: ({ model }) => (model?.max_bytes == null ? <Nothing /> : formatBytes(model.max_bytes)),
  },
  {
    key: 'duration',
    title: words.maxDuration,
    align: 'end',
    isSecondary: true,
    cell: ({ model }) => <Duration ms={model?.max_duration_s == null ? null : model.max_duration_s * 1_000} />,
  },
];
