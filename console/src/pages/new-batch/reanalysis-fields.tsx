/** The settings of a reanalysis: the assistant's own, those of an earlier version, or others. */
import { useQuery } from '@tanstack/react-query';
import {
  getAssistantOptions,
  listAssistantVersionsOptions,
} from '../../../../clients/typescript/src/@tanstack/react-query.gen.ts';
import { LLM_PROVIDERS } from '../../../../contract/constants.ts';
import { SelectField, TextAreaField, TextField } from '../../components/field.tsx';
import { Skeleton } from '../../components/page.tsx';
import { Problem } from '../../components/problem.tsx';
import { texts } from '../../texts/index.ts';
import { ModelFields } from '../assistant/model-fields.tsx';
import { CHANGED, PRESENT } from './batch-input.ts';

const words = texts.batches;
const { reanalyze } = texts.session;

interface ReanalysisFieldsProps {
  assistantId: string;
  /** What is chosen in the first field. */
  settings: string;
}

export function ReanalysisFields({ assistantId, settings }: ReanalysisFieldsProps) {
  const path = { id: assistantId };
  const assistant = useQuery(getAssistantOptions({ path }));
  const versions = useQuery(listAssistantVersionsOptions({ path, query: { limit: 50 } }));
  if (assistant.error) return <Problem error={assistant.error} />;
  if (!assistant.data) return <Skeleton lines={4} />;
  const { version, llm_provider, llm_model, system_prompt, temperature } = assistant.data;
  const earlier = (versions.data?.data ?? []).filter((each) => each.version !== version);
  const options = [
    { value: PRESENT, label: words.present(version) },
    ...earlier.map((each) => ({ value: String(each.version), label: words.version(each.version) })),
    { value: CHANGED, label: words.changed },
  ];
  return (
    <>
      <SelectField name="settings" label={words.settings} options={options} />
      {settings === CHANGED && (
        <>
          <TextAreaField
            name="overrides.system_prompt"
            label={reanalyze.prompt}
            defaultValue={system_prompt}
            rows={8}
            required
          />
          <ModelFields
            prefix="overrides.llm"
            labels={{ provider: reanalyze.provider, model: reanalyze.model }}
            names={LLM_PROVIDERS}
            initial={{ provider: llm_provider, model: llm_model }}
          />
          <TextField
            name="overrides.temperature"
            label={reanalyze.temperature}
            type="number"
            min={0}
            max={1}
            step={0.1}
            defaultValue={temperature}
          />
        </>
      )}
    </>
  );
}
