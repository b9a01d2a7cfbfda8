/** The settings of a reanalysis: the assistant's own, those of an earlier version, or others. */
import { useQuery } from '@tanstack/react-query';
import {
  getAssistantOptions,
  listAssistantVersionsOptions,
} from '../../../../clients/typescript/src/@tanstack/react-query.gen.ts';
import { OverrideFields } from '../../analysis-settings/override-fields.tsx';
import { SelectField } from '../../components/field.tsx';
import { Skeleton } from '../../components/page.tsx';
import { Problem } from '../../components/problem.tsx';
import { texts } from '../../texts/index.ts';
import { CHANGED, PRESENT } from './batch-input.ts';

const words = texts.batches;

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
  const { version } = assistant.data;
  const earlier = (versions.data?.data ?? []).filter((each) => each.version !== version);
  const options = [
    { value: PRESENT, label: words.present(version) },
    ...earlier.map((each) => ({ value: String(each.version), label: words.version(each.version) })),
    { value: CHANGED, label: words.changed },
  ];
  return (
    <>
      <SelectField name="settings" label={words.settings} options={options} />
      {settings === CHANGED && <OverrideFields prefix="overrides." settings={assistant.data} />}
    </>
  );
}
