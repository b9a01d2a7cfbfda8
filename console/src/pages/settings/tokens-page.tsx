/** The API tokens of the workspace. A token's secret is shown once, when it is created. */
import { useQuery } from '@tanstack/react-query';
import { KeyRound, Plus } from 'lucide-react';
import { useState } from 'react';
import { revokeKey, type ListedApiKey } from 'conversation-analysis-client';
import { listKeysOptions } from 'conversation-analysis-client/react-query';
import { Button } from '../../components/button.tsx';
import { ConfirmButton } from '../../components/confirm-button.tsx';
import { CodeBlock } from '../../components/code-block.tsx';
import { DataTable, type Column } from '../../components/data-table.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { Loaded } from '../../components/loaded.tsx';
import { OnceDialog } from '../../components/once-dialog.tsx';
import { Time } from '../../components/values.tsx';
import { useMay } from '../../server/membership.ts';
import { refresh } from '../../server/queries.ts';
import { publicApiUrl } from '../../server/workspace.ts';
import { texts } from '../../texts/index.ts';
import { Access, CreateToken } from './create-token.tsx';
import { RollToken } from './roll-token.tsx';
import styles from './settings.module.css';

const words = texts.tokens;

export function TokensPage() {
  const may = useMay();
  const keys = useQuery(listKeysOptions());
  const [isCreating, setCreating] = useState(false);
  const [token, setToken] = useState<string>();
  const [rolled, setRolled] = useState<ListedApiKey>();
  const show = ({ token: created }: { token: string }) => {
    void refresh('listKeys');
    setCreating(false);
    setRolled(undefined);
    setToken(created);
  };
  return (
    <>
      <div className={`row ${styles['head']}`}>
        <p>{words.detail}</p>
        <Button scope="keys:write" look="primary" onClick={() => setCreating(true)}>
          <Plus size={14} aria-hidden />
          {words.create}
        </Button>
      </div>
      <Loaded query={keys}>
        {({ data }) =>
          data.length === 0 ? (
            <EmptyState icon={KeyRound} title={words.none} detail={words.noneDetail} />
          ) : (
            <DataTable
              isCards
              caption={texts.settings.tokens}
              columns={columns(data, setRolled).filter(({ key }) => key !== 'actions' || may('keys:write'))}
              rows={data}
              rowKey={({ key_id }) => key_id}
            />
          )
        }
      </Loaded>
      {isCreating && <CreateToken onClose={() => setCreating(false)} onCreated={show} />}
      {token !== undefined && <NewToken token={token} onClose={() => setToken(undefined)} />}
      {rolled && <RollToken token={rolled} onClose={() => setRolled(undefined)} onCreated={show} />}
    </>
  );
}

const columns = (keys: ListedApiKey[], onRoll: (key: ListedApiKey) => void): Column<ListedApiKey>[] => [
  {
    key: 'name',
    title: texts.settingTitles.name,
    isWide: true,
    cell: ({ name, prefix, scopes }) => (
      <>
        <span className="cut" dir="auto" title={name}>
          {name}
        </span>
        <span className="note">
          <code>{prefix}…</code> · <Access scopes={scopes} />
        </span>
      </>
    ),
  },
  {
    key: 'created',
    title: texts.labels.created,
    isSecondary: true,
    cell: ({ created_at, created_by_key, created_by_name, created_by_left, rolled_from }) => (
      <>
        <Time at={created_at} />
        {created_by_name !== null && (
          <span className="note cut" title={created_by_name}>
            <bdi>{created_by_name}</bdi>
            {created_by_left && ` (${words.left})`}
          </span>
        )}
        {created_by_key !== null && <Note text={words.byToken(find(keys, created_by_key)?.name ?? created_by_key)} />}
        {rolled_from !== null && <Note text={words.rolledFrom(find(keys, rolled_from)?.prefix ?? rolled_from)} />}
      </>
    ),
  },
  { key: 'used', title: words.lastUsed, cell: ({ last_used_at }) => timeOrNever(last_used_at) },
  { key: 'expires', title: words.expires, isSecondary: true, cell: ({ expires_at }) => timeOrNever(expires_at) },
  {
    key: 'actions',
    title: texts.common.actions,
    align: 'end',
    cell: (key) => (
      <span className={styles['actions']}>
        <Button
          scope="keys:write"
          size="small"
          disabled={keys.some(({ rolled_from }) => rolled_from === key.key_id)}
          onClick={() => onRoll(key)}
        >
          {words.roll}
          <span className="visually-hidden"> {key.name}</span>
        </Button>
        <ConfirmButton
          scope="keys:write"
          size="small"
          isDanger
          title={words.revokeTitle(key.name)}
          detail={words.revokeDetail}
          action={words.revoke}
          run={async () => {
            await revokeKey({ path: { key_id: key.key_id }, throwOnError: true });
            await refresh('listKeys');
          }}
        >
          {words.revoke}
          <span className="visually-hidden"> {key.name}</span>
        </ConfirmButton>
      </span>
    ),
  },
];

const find = (keys: readonly ListedApiKey[], id: string) => keys.find(({ key_id }) => key_id === id);

const Note = ({ text }: { text: string }) => (
  <span className="note cut" title={text}>
    {text}
  </span>
);

const timeOrNever = (at: string | null) =>
  at === null ? <span className="nowrap">{words.expiries['']}</span> : <Time at={at} />;

/** Shows the token, and the configuration of tools that read conversations with it, in the format that most tools use. */
function NewToken({ token, onClose }: { token: string; onClose: () => void }) {
  const { title, detail, warning } = words.connect;
  const conversations = { type: 'http', url: `${publicApiUrl()}/mcp`, headers: { Authorization: `Bearer ${token}` } };
  return (
    <OnceDialog title={words.created} detail={words.createdDetail} text={token} onClose={onClose}>
      <details>
        <summary>{title}</summary>
        <div className="stack">
          <p>{detail}</p>
          <CodeBlock text={JSON.stringify({ mcpServers: { conversations } }, null, 2)} label={title} />
          <p className="note">{warning}</p>
        </div>
      </details>
    </OnceDialog>
  );
}
