import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { getAssistantVersionOptions } from 'conversation-analysis-client/react-query';
import type { Assistant, AssistantVersion } from 'conversation-analysis-client';
import { Choice } from '../../components/choice.tsx';
import { Comparison } from '../../components/comparison.tsx';
import { Facts } from '../../components/facts.tsx';
import { both, Loaded } from '../../components/loaded.tsx';
import { Panel } from '../../components/page.tsx';
import { Nothing, Time } from '../../components/values.tsx';
import { texts } from '../../texts/index.ts';
import { settingRows, settingsOf } from '../../analysis-settings/setting-rows.tsx';

const words = texts.versions;

interface VersionComparisonProps {
  assistant: Assistant;
  chosen: number;
  other: number;
}

/** Compares two versions, the older one first. The only version has none to compare with. */
export function VersionComparison({ assistant, chosen, other }: VersionComparisonProps) {
  const [first, second] = [Math.min(chosen, other), Math.max(chosen, other)];
  const read = (version: number) =>
    getAssistantVersionOptions({ path: { id: assistant.id, version: String(version) } });
  const one = useQuery(read(first));
  const two = useQuery(read(second));
  if (first === second) {
    return (
      <Panel title={words.of(first)}>
        <Loaded query={one} lines={6}>
          {({ settings }) => (
            <Facts
              facts={settingRows(settings, settings, settingsOf(assistant.type)).map(({ title, cells: [value] }) => [
                title,
                value ?? <Nothing />,
              ])}
            />
          )}
        </Loaded>
      </Panel>
    );
  }
  return (
    <Panel
      title={words.comparison(first, second)}
      actions={<ChooseOther assistant={assistant} chosen={chosen} other={other} />}
    >
      <Loaded query={both(one, two)} lines={6}>
        {([older, newer]) => (
          <Comparison
            caption={words.comparison(first, second)}
            heads={[<Head version={older} />, <Head version={newer} />]}
            rows={settingRows(older.settings, newer.settings, settingsOf(assistant.type))}
          />
        )}
      </Loaded>
    </Panel>
  );
}

function ChooseOther({ assistant, chosen, other }: VersionComparisonProps) {
  const navigate = useNavigate();
  const versions = Array.from({ length: assistant.version }, (_, index) => assistant.version - index);
  return (
    <Choice
      label={words.with}
      value={String(other)}
      options={versions
        .filter((version) => version !== chosen)
        .map((version) => ({ value: String(version), label: words.of(version) }))}
      onChoose={(version) =>
        void navigate({
          to: '/assistants/$assistantId/versions',
          params: { assistantId: assistant.id },
          search: { version: chosen, with: Number(version) },
        })
      }
    />
  );
}

const Head = ({ version: { version, created_at } }: { version: AssistantVersion }) => (
  <>
    {words.of(version)}
    <br />
    <Time at={created_at} />
  </>
);
