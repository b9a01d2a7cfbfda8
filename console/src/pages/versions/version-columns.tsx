import { restoreAssistantVersion, type Assistant, type AssistantVersion } from 'conversation-analysis-client';
import { ButtonLink } from '../../components/button.tsx';
import { ConfirmButton } from '../../components/confirm-button.tsx';
import { Creator } from '../../components/creator.tsx';
import type { Column } from '../../components/data-table.tsx';
import { showToast } from '../../components/toasts.tsx';
import { Nothing, Time } from '../../components/values.tsx';
import { refresh } from '../../server/queries.ts';
import { texts } from '../../texts/index.ts';
import { VERSIONED_SETTINGS } from '../../../../contract/assistants/settings.ts';
import { settingRows } from '../../analysis-settings/setting-rows.tsx';

const words = texts.versions;

/** @param versions the shown versions, newest first. */
export function columnsOf(assistant: Assistant, versions: readonly AssistantVersion[]): Column<AssistantVersion>[] {
  return [
    {
      key: 'version',
      title: words.version,
      cell: ({ version }) => (
        <span className="nowrap">
          {version}
          {version === assistant.version && <span className="note"> {words.current}</span>}
        </span>
      ),
    },
    { key: 'created', title: texts.labels.created, cell: ({ created_at }) => <Time at={created_at} /> },
    {
      key: 'by',
      title: texts.audit.actor,
      isSecondary: true,
      cell: ({ created_by }) => (created_by === null ? <Nothing /> : <Creator id={created_by} />),
    },
    {
      key: 'changed',
      title: words.changed,
      isWide: true,
      cell: (row) => printChanges(row, versions[versions.indexOf(row) + 1]),
    },
    {
      key: 'actions',
      title: texts.common.actions,
      align: 'end',
      cell: (row) => row.version !== assistant.version && <Actions assistant={assistant} row={row} />,
    },
  ];
}

/** @param before the previous version; undefined if it is not loaded yet. */
function printChanges(row: AssistantVersion, before: AssistantVersion | undefined): string {
  if (row.version === 1) return words.first;
  const rows = before ? settingRows(before.settings, row.settings, VERSIONED_SETTINGS) : [];
  const changed = rows.flatMap(({ title, isDifferent }) => (isDifferent ? title : [])).join(', ');
  if (row.restored_from === null) return changed;
  return [words.restoredFrom(row.restored_from), changed].filter(Boolean).join(': ');
}

const Actions = ({ assistant, row: { version } }: { assistant: Assistant; row: AssistantVersion }) => (
  <span className="nowrap">
    <ButtonLink size="small" label={words.compareOf(version)} to="." search={{ version }}>
      {texts.compare.compare}
    </ButtonLink>
    &ensp;
    <ConfirmButton
      scope="assistants:write"
      size="small"
      label={words.restoreOf(version)}
      title={words.restoreTitle(version)}
      detail={words.restoreDetail}
      action={words.restore}
      run={async () => {
        const path = { id: assistant.id, version: String(version) };
        const { data } = await restoreAssistantVersion({ path, throwOnError: true });
        showToast(words.restored(data.version));
        void refresh('getAssistant', 'listAssistants', 'listAssistantVersions');
      }}
    />
  </span>
);
