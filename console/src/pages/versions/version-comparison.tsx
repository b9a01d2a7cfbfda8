import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { getAssistantVersionOptions } from 'conversation-analysis-client/react-query';
import { X } from 'lucide-react';
import type { Assistant } from 'conversation-analysis-client';
import { ButtonLink } from '../../components/button.tsx';
import { Choice } from '../../components/choice.tsx';
import { Comparison } from '../../components/comparison.tsx';
import { both, Loaded } from '../../components/loaded.tsx';
import { Time } from '../../components/values.tsx';
import { texts } from '../../texts/index.ts';
import { settingRows, settingsOf } from '../../analysis-settings/setting-rows.tsx';

const route = getRouteApi('/inside/assistants/$assistantId/versions');
const words = texts.versions;

interface VersionComparisonProps {
  assistant: Assistant;
  chosen: number;
  other: number;
}

/** Compares two versions, the older one first. */
export function VersionComparison({ assistant, chosen, other }: VersionComparisonProps) {
  const navigate = route.useNavigate();
  const [first, second] = [Math.min(chosen, other), Math.max(chosen, other)];
  const read = (version: number) =>
    getAssistantVersionOptions({ path: { id: assistant.id, version: String(version) } });
  const one = useQuery(read(first));
  const two = useQuery(read(second));
  return (
    <>
      <div className="row apart">
        <h2>{words.comparison(first, second)}</h2>
        <span className="row note">
          {words.with}
          <Choice
            label={words.with}
            value={String(other)}
            options={Array.from({ length: assistant.version }, (_, index) => assistant.version - index)
              .filter((version) => version !== chosen)
              .map((version) => ({ value: String(version), label: words.of(version) }))}
            onChoose={(version) => void navigate({ search: { version: chosen, with: Number(version) } })}
          />
          <ButtonLink isIcon look="quiet" label={texts.labels.close} to="." search={{}}>
            <X size={16} aria-hidden />
          </ButtonLink>
        </span>
      </div>
      <Loaded query={both(one, two)} lines={6}>
        {([older, newer]) => (
          <Comparison
            caption={words.comparison(first, second)}
            heads={[<Time at={older.created_at} />, <Time at={newer.created_at} />]}
            rows={settingRows(older.settings, newer.settings, settingsOf(assistant.type))}
          />
        )}
      </Loaded>
    </>
  );
}
