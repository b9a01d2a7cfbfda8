import type { Assistant, AssistantVersion, VersionedSettings } from '../../../../clients/typescript/src/index.ts';
import { ButtonLink } from '../../components/button.tsx';
import type { Column } from '../../components/data-table.tsx';
import { Time } from '../../components/values.tsx';
import { texts } from '../../texts/index.ts';
import { RestoreVersion } from './restore-version.tsx';
import styles from './versions.module.css';

const words = texts.versions;

export const SETTINGS = Object.keys(words.settings) as (keyof VersionedSettings)[];

/** Returns whether a setting, which may be a list, is another one in the second version. */
export const differ = (one: AssistantVersion, other: AssistantVersion, name: keyof VersionedSettings) =>
  JSON.stringify(one.settings[name]) !== JSON.stringify(other.settings[name]);

/** @param versions those that are shown, the newest first. */
export function columnsOf(assistant: Assistant, versions: readonly AssistantVersion[]): Column<AssistantVersion>[] {
  return [
    {
      key: 'version',
      title: words.version,
      cell: ({ version }) => (
        <>
          {version}
          {version === assistant.version && <span className={styles['present']}>{words.present}</span>}
        </>
      ),
    },
    { key: 'created', title: words.created, cell: ({ created_at }) => <Time at={created_at} /> },
    {
      key: 'changed',
      title: words.changed,
      isWide: true,
      cell: (row) => whatChanged(row, versions[versions.indexOf(row) + 1]),
    },
    { key: 'actions', title: words.actions, align: 'end', cell: (row) => <Actions assistant={assistant} row={row} /> },
  ];
}

/** @param before undefined: it is not read yet, or there is none. */
function whatChanged(row: AssistantVersion, before: AssistantVersion | undefined): string {
  if (row.version === 1) return words.first;
  const names = before ? SETTINGS.filter((name) => differ(row, before, name)) : [];
  const changed = names.map((name) => words.settings[name]).join(', ');
  if (row.restored_from === null) return changed;
  return [words.restoredFrom(row.restored_from), changed].filter(Boolean).join(': ');
}

const Actions = ({ assistant, row: { version } }: { assistant: Assistant; row: AssistantVersion }) => (
  <span className={styles['actions']}>
    {assistant.version > 1 && (
      <ButtonLink
        size="small"
        label={words.compareOf(version)}
        to="/assistants/$assistantId/versions"
        params={{ assistantId: assistant.id }}
        search={{ version }}
      >
        {words.compare}
      </ButtonLink>
    )}
    {version !== assistant.version && <RestoreVersion assistant={assistant} version={version} />}
  </span>
);
