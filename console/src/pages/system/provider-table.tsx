import { useQuery } from '@tanstack/react-query';
import { CircleCheck, CircleDashed, FlaskConical } from 'lucide-react';
import type { Provider } from '../../../../clients/typescript/src/index.ts';
import { listProvidersOptions } from '../../../../clients/typescript/src/@tanstack/react-query.gen.ts';
import { DataTable } from '../../components/data-table.tsx';
import type { Column } from '../../components/data-table.tsx';
import { Skeleton } from '../../components/page.tsx';
import { Problem } from '../../components/problem.tsx';
import { Duration, Money, Nothing } from '../../components/values.tsx';
import { formatBytes } from '../../format/numbers.ts';
import { accessOf } from '../../providers/access.ts';
import { texts } from '../../texts/index.ts';
import styles from './system.module.css';

const words = texts.system;

type Model = Provider['models'][number];

interface Row extends Omit<Provider, 'models'> {
  /** Left out where no model of it is allowed. */
  model?: Model;
}

/** The providers, and what is known of their models: prices, and what a recording may be. */
export function ProviderTable() {
  const { data, error, refetch } = useQuery(listProvidersOptions());
  if (error) return <Problem error={error} onRetry={() => void refetch()} />;
  if (!data) return <Skeleton lines={7} />;
  const rows = data.data.flatMap(({ models, ...provider }): Row[] =>
    models.length === 0 ? [provider] : models.map((model) => ({ ...provider, model })),
  );
  const keyOf = ({ provider, model }: Row) => `${provider}/${model?.model ?? ''}`;
  return <DataTable caption={words.providers} columns={COLUMNS} rows={rows} rowKey={keyOf} />;
}

const ACCESS_ICONS = { simulated: FlaskConical, configured: CircleCheck, noKey: CircleDashed };

function Access({ provider }: { provider: Row }) {
  const access = accessOf(provider);
  const Icon = ACCESS_ICONS[access];
  return (
    <span className={styles['oneLine']}>
      <Icon size={13} aria-hidden /> {words[access]}
    </span>
  );
}

function Prices({ model }: { model: Model | undefined }) {
  const prices = model?.prices;
  if (!prices) return <Nothing />;
  if (prices.audio_hour_usd !== null) return <Money usd={prices.audio_hour_usd} />;
  return (
    <span className={styles['oneLine']}>
      <Money usd={prices.input_mtok_usd} /> / <Money usd={prices.output_mtok_usd} />
    </span>
  );
}

const COLUMNS: Column<Row>[] = [
  { key: 'name', title: texts.usage.groups.provider, cell: ({ provider }) => texts.providers[provider] },
  { key: 'access', title: words.access, cell: (row) => <Access provider={row} /> },
  { key: 'step', title: texts.overview.step, isSecondary: true, cell: ({ step }) => texts.overview.steps[step] },
  {
    key: 'model',
    title: words.model,
    isWide: true,
    cell: ({ model, default_model }) =>
      model === undefined ? (
        words.noneAllowed
      ) : model.model === null ? (
        texts.usage.noModel
      ) : (
        <>
          <code>{model.model}</code> {model.model === default_model && words.byDefault}
        </>
      ),
  },
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
