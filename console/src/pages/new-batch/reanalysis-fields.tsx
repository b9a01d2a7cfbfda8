/** The settings of a reanalysis: current, of an earlier version, or custom. */
import { useQuery } from '@tanstack/react-query';
import { getAssistantOptions, listAssistantVersionsOptions } from 'conversation-analysis-client/react-query';
import { useLayoutEffect, useRef } from 'react';
import type { Assistant, BatchInput, BatchOverrides } from 'conversation-analysis-client';
import { findChangedFields, type Tested } from '../../analysis-settings/changed-settings.ts';
import { SettingsDiff } from '../../analysis-settings/settings-diff.tsx';
import { OverrideFields } from '../../analysis-settings/override-fields.tsx';
import { SelectField } from '../../components/field.tsx';
import { Loaded } from '../../components/loaded.tsx';
import { texts } from '../../texts/index.ts';
import { CURRENT, CUSTOM } from './choices.ts';

const words = texts.batches;
const experiment = texts.experiment;

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
  /** What differs now from the settings of the assistant. */
  changes: BatchInput['overrides'];
  /** The field whose question gets the focus. */
  question: string | undefined;
}

/** Opens the question of a field. */
function showQuestion(box: HTMLElement | null, fields: Assistant['fields'], name: string): void {
  const place = fields?.findIndex((field) => field.name === name) ?? -1;
  const input = box?.querySelector<HTMLElement>(`[name="overrides.fields.${place}.description"]`);
  for (let each = input?.closest('details'); each; each = each.parentElement?.closest('details')) each.open = true;
  input?.focus();
}

export function ReanalysisFields({ assistantId, settings, overrides, changes, question }: ReanalysisFieldsProps) {
  const box = useRef<HTMLDivElement>(null);
  const path = { id: assistantId };
  const assistant = useQuery(getAssistantOptions({ path }));
  const versions = useQuery(listAssistantVersionsOptions({ path, query: { limit: 50 } }));
  const fields = assistant.data?.fields;
  // Before the first paint, because opened questions move what is below.
  useLayoutEffect(() => {
    if (question !== undefined && fields) showQuestion(box.current, fields, question);
  }, [question, fields]);
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
            label={texts.shell.settings}
            defaultValue={settings}
            options={optionsFor(data.version)}
          />
          {settings === CUSTOM && (
            <>
              {Object.keys(changes ?? {}).length === 0 ? (
                <p className="note">{experiment.nothingDiffers}</p>
              ) : (
                <SettingsDiff assistant={data} changes={changes as Tested} />
              )}
              <NotCompared assistant={data} changes={changes as Tested} />
              <details open={Object.keys(overrides ?? {}).length === 0}>
                <summary>{experiment.change}</summary>
                <div ref={box}>
                  <OverrideFields prefix="overrides." settings={{ ...data, ...overrides }} />
                </div>
              </details>
            </>
          )}
        </>
      )}
    </Loaded>
  );
}

/** Names the fields whose question changed: their reviews answer another question. */
function NotCompared({ assistant, changes }: { assistant: Assistant; changes: Tested | undefined }) {
  const titles = changes?.fields === undefined ? [] : findChangedFields(assistant, changes.fields);
  return titles.length > 0 && <p className="note">{experiment.otherQuestion(titles.join(', '))}</p>;
}
