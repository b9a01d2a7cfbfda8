/** The settings of a reanalysis: current, of an earlier version, or custom. */
import { useQuery } from '@tanstack/react-query';
import { getAssistantOptions, listAssistantVersionsOptions } from 'conversation-analysis-client/react-query';
import type { BatchOverrides } from 'conversation-analysis-client';
import { OverrideFields } from '../../analysis-settings/override-fields.tsx';
import { SelectField } from '../../components/field.tsx';
import { Loaded } from '../../components/loaded.tsx';
import { texts } from '../../texts/index.ts';

const words = texts.batches;

/** Values of the settings field besides version numbers. */
export const CURRENT = 'current';
export const CUSTOM = 'custom';

declare module '@tanstack/react-router' {
  interface HistoryState {
    /** Unsaved settings of an assistant that a new batch tests. */
    overrides?: BatchOverrides;
  }
}

interface ReanalysisFieldsProps {
  assistantId: string;
  /** The selected value of the first field. */
  settings: string;
  /** The initial custom settings, besides those of the assistant. */
  overrides: BatchOverrides | undefined;
}

export function ReanalysisFields({ assistantId, settings, overrides }: ReanalysisFieldsProps) {
  const path = { id: assistantId };
  const assistant = useQuery(getAssistantOptions({ path }));
  const versions = useQuery(listAssistantVersionsOptions({ path, query: { limit: 50 } }));
  const optionsFor = (current: number) => [
    { value: CURRENT, label: words.current(current) },
    ...(versions.data?.data ?? [])
      .filter(({ version }) => version !== current)
      .map(({ version }) => ({ value: String(version), label: texts.versions.of(version) })),
    { value: CUSTOM, label: words.overrides },
  ];
  return (
    <Loaded query={assistant} lines={4}>
      {(data) => (
        <>
          <SelectField
            name="settings"
            label={texts.session.tabs.settings}
            defaultValue={settings}
            options={optionsFor(data.version)}
          />
          {settings === CUSTOM && <OverrideFields prefix="overrides." settings={{ ...data, ...overrides }} />}
        </>
      )}
    </Loaded>
  );
}
