/** Selects a provider and one of its models, with its price. */
import { LIMITS } from '../../../contract/values/limits.ts';
import { useQuery } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { listProvidersOptions } from 'conversation-analysis-client/react-query';
import type { Provider } from 'conversation-analysis-client';
import type { ProviderName } from '../../../contract/values/constants.ts';
import { SelectField, TextField } from '../components/field.tsx';
import { formatUsd } from '../format/numbers.ts';
import { accessOf, PROVIDER_NAMES } from '../format/providers.ts';
import { texts } from '../texts/index.ts';
import { defaultProvider } from './default-provider.ts';

const words = texts.assistant;

interface ModelFieldsProps {
  /** Prefix of the input names. */
  prefix: `${'' | 'fallback.'}${'llm' | 'stt'}`;
  /** Default: "Provider" and "Model". */
  labels?: { provider: string; model: string };
  names: readonly ProviderName[];
  /** The current settings of the assistant. A new one has no provider yet. */
  initial: { provider: ProviderName | '' | undefined; model: string };
  /** Also offers "None". */
  isOptional?: boolean;
}

const LABELS = { provider: texts.settingTitles.llm_provider, model: texts.settingTitles.llm_model };

export function ModelFields({ prefix, labels = LABELS, names, initial, isOptional }: ModelFieldsProps) {
  const [chosen, setName] = useState(initial.provider);
  const [model, setModel] = useState(initial.model);
  const { data } = useQuery({ ...listProvidersOptions(), staleTime: 60_000 });
  const name = chosen ?? defaultProvider(data?.data);
  const ownStep = prefix.endsWith('llm') ? 'analysis' : 'transcription';
  const find = (each: ProviderName | '') =>
    data?.data.find(({ provider, step }) => provider === each && step === ownStep);
  const provider = find(name);
  const needsModel = name === 'local' && provider?.default_model === null;
  const listId = `${prefix}-models`;
  const options = names
    .filter((each) => each !== 'local' || each === initial.provider || find(each)?.configured)
    .map((each) => ({ value: each, label: labelOf(each, find(each)) }));
  return (
    <>
      <SelectField
        name={`${prefix}_provider`}
        label={labels.provider}
        hint={provider?.configured === false && words.noKey}
        value={name}
        options={isOptional ? [{ value: '', label: texts.labels.none }, ...options] : options}
        onChange={({ target }) => {
          setName(target.value as ProviderName | '');
          setModel(target.value === initial.provider ? initial.model : '');
        }}
      />
      {name !== '' && (
        <TextField
          name={`${prefix}_model`}
          label={labels.model}
          hint={<Price provider={provider} model={model} />}
          isOptional={!needsModel}
          required={needsModel}
          maxLength={LIMITS.name}
          list={listId}
          placeholder={provider?.default_model ?? ''}
          value={model}
          onChange={({ target }) => setModel(target.value)}
        />
      )}
      <datalist id={listId}>
        {provider?.models.map((each) => each.model !== null && <option key={each.model} value={each.model} />)}
      </datalist>
    </>
  );
}

function labelOf(name: ProviderName, provider: Provider | undefined): string {
  const access = provider ? accessOf(provider) : 'configured';
  return access === 'configured'
    ? PROVIDER_NAMES[name]
    : `${PROVIDER_NAMES[name]} (${texts.system[access].toLowerCase()})`;
}

/** Shows the price of the model, or why it is unknown. */
function Price({ provider, model }: { provider: Provider | undefined; model: string }): ReactNode {
  if (!provider) return null;
  const chosen = model === '' ? provider.default_model : model.trim();
  const known = provider.models.find((each) => each.model === chosen);
  if (!known && !provider.any_model) return words.notAllowed;
  if (provider.provider === 'local') return words.ownServer;
  const prices = known?.prices;
  if (!prices) return words.priceUnknown;
  if (prices.audio_hour_usd !== null) return words.hourPrice(formatUsd(prices.audio_hour_usd));
  if (prices.input_mtok_usd === null || prices.output_mtok_usd === null) return words.priceUnknown;
  return words.tokenPrices(formatUsd(prices.input_mtok_usd), formatUsd(prices.output_mtok_usd));
}
