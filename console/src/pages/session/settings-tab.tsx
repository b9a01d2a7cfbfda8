import { useQuery } from '@tanstack/react-query';
import type { Session } from 'conversation-analysis-client';
import { getAssistantOptions } from 'conversation-analysis-client/react-query';
import { Comparison } from '../../components/comparison.tsx';
import { Creator } from '../../components/creator.tsx';
import { Facts } from '../../components/facts.tsx';
import { Id, Remarks } from '../../components/values.tsx';
import { isNotFound } from '../../server/problem.ts';
import { texts } from '../../texts/index.ts';
import { settingRows, settingsOf } from '../../analysis-settings/setting-rows.tsx';

const words = texts.session.settings;

/** The settings that produced the result, and their differences from the current assistant. */
export function SettingsTab({ session }: { session: Session }) {
  const { assistant: frozen, temperature_applied, left_out, created_by } = session;
  const language = session.transcript?.language;
  const refused = left_out?.filter(({ terms }) => terms === undefined) ?? [];
  const { data: current, error } = useQuery(getAssistantOptions({ path: { id: frozen.id } }));
  const rows = settingRows(frozen, current ?? frozen, settingsOf(frozen.type));
  return (
    <>
      {isNotFound(error) && <Remarks>{words.deleted}</Remarks>}
      <Comparison
        caption={texts.shell.settings}
        heads={[words.then, words.now]}
        rows={rows}
        same={current ? words.same : ''}
      />
      {refused.length > 0 && <Remarks>{words.leftOut(refused.map(({ parameter }) => parameter).join(', '))}</Remarks>}
      {left_out?.map(({ terms }) => terms !== undefined && <Remarks key={terms}>{words.termsLeft(terms)}</Remarks>)}
      {session.vocabulary && <Remarks>{words.noVocabulary}</Remarks>}
      {temperature_applied === false && <Remarks>{words.temperatureIgnored}</Remarks>}
      <Facts
        facts={[
          [texts.sessions.id, <Id value={session.session_id} label={texts.sessions.id} />],
          typeof language === 'string' && [texts.settingTitles.stt_language, language],
          created_by !== null && [texts.session.createdBy, <Creator id={created_by} />],
        ]}
      />
    </>
  );
}
