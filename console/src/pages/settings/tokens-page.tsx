/** API tokens: made here, shown once, revoked at once. Spec §5. */
import { useMutation, useQuery } from '@tanstack/react-query';
import { KeyRound, Plus } from 'lucide-react';
import { useState } from 'react';
import {
  createKeyMutation,
  listKeysOptions,
  revokeKeyMutation,
} from '../../../../clients/typescript/src/@tanstack/react-query.gen.ts';
import type { ApiKey } from '../../../../clients/typescript/src/index.ts';
import { Button } from '../../components/button.tsx';
import { CopyButton } from '../../components/copy-button.tsx';
import { DataTable } from '../../components/data-table.tsx';
import type { Column } from '../../components/data-table.tsx';
import { ConfirmDialog, Dialog } from '../../components/dialog.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { Form, FormButtons, SelectField, TextField } from '../../components/field.tsx';
import { Skeleton } from '../../components/page.tsx';
import { Problem } from '../../components/problem.tsx';
import { Time } from '../../components/values.tsx';
import { publicApiUrl } from '../../server/client.ts';
import { refresh } from '../../server/queries.ts';
import { texts } from '../../texts/index.ts';
import styles from './settings.module.css';

export function TokensPage() {
  const { data, error, refetch } = useQuery(listKeysOptions());
  const [isMaking, setMaking] = useState(false);
  const [revoked, setRevoked] = useState<ApiKey>();
  const make = (
    <Button look="primary" onClick={() => setMaking(true)}>
      <Plus size={14} aria-hidden />
      {texts.tokens.create}
    </Button>
  );
  return (
    <>
      <div className={styles['head']}>
        <p>{texts.tokens.detail}</p>
        {make}
      </div>
      {error && !data ? <Problem error={error} onRetry={() => void refetch()} /> : !data && <Skeleton />}
      {data?.data.length === 0 && (
        <EmptyState icon={KeyRound} title={texts.tokens.none} detail={texts.tokens.noneDetail} />
      )}
      {data && data.data.length > 0 && (
        <DataTable
          caption={texts.settings.tokens}
          columns={columns(setRevoked)}
          rows={data.data}
          rowKey={({ key_id }) => key_id}
        />
      )}
      {isMaking && <CreateToken onClose={() => setMaking(false)} />}
      {revoked && <RevokeToken token={revoked} onClose={() => setRevoked(undefined)} />}
    </>
  );
}

const columns = (revoke: (key: ApiKey) => void): Column<ApiKey>[] => [
  {
    key: 'name',
    title: texts.tokens.name,
    isWide: true,
    cell: ({ name }) => <span className={styles['cut']}>{name}</span>,
  },
  { key: 'prefix', title: texts.tokens.prefix, isSecondary: true, cell: ({ prefix }) => <code>{prefix}…</code> },
  {
    key: 'used',
    title: texts.tokens.lastUsed,
    cell: ({ last_used_at }) => (last_used_at ? <Time at={last_used_at} isRelative /> : texts.tokens.never),
  },
  {
    key: 'expires',
    title: texts.tokens.expires,
    isSecondary: true,
    cell: ({ expires_at }) => (expires_at ? <Time at={expires_at} isRelative /> : texts.tokens.never),
  },
  {
    key: 'revoke',
    title: texts.tokens.actions,
    align: 'end',
    cell: (key) => (
      <Button size="small" onClick={() => revoke(key)}>
        {texts.tokens.revoke}
        <span className="only-said"> {key.name}</span>
      </Button>
    ),
  },
];

const EXPIRIES = ['', '30', '90', '365'] as const;

function CreateToken({ onClose }: { onClose: () => void }) {
  const create = useMutation({ ...createKeyMutation(), onSuccess: () => refresh('listKeys') });
  if (create.data) return <NewToken token={create.data.token} onClose={onClose} />;
  return (
    <Dialog isOpen onClose={onClose} title={texts.tokens.create}>
      <Form
        error={create.error}
        onSubmit={({ name = '', expires_in_days = '' }) =>
          create.mutate({
            body: { name, ...(expires_in_days !== '' && { expires_in_days: Number(expires_in_days) }) },
          })
        }
      >
        <TextField
          name="name"
          label={texts.tokens.name}
          hint={texts.tokens.nameHint}
          required
          maxLength={200}
          autoFocus
        />
        <SelectField
          name="expires_in_days"
          label={texts.tokens.expires}
          options={EXPIRIES.map((value) => ({ value, label: texts.tokens.expiries[value] }))}
        />
        <FormButtons>
          <Button onClick={onClose}>{texts.common.cancel}</Button>
          <Button type="submit" look="primary" disabled={create.isPending}>
            {texts.tokens.create}
          </Button>
        </FormButtons>
      </Form>
    </Dialog>
  );
}

/** The one moment in which the token can be seen. */
function NewToken({ token, onClose }: { token: string; onClose: () => void }) {
  const curl = `curl ${publicApiUrl()}/v1/sessions \\\n  -H 'Authorization: Bearer ${token}'`;
  return (
    <Dialog isOpen onClose={onClose} title={texts.tokens.made} isWide>
      <p>{texts.tokens.madeDetail}</p>
      <div className={styles['secret']}>
        <code data-testid="token">{token}</code>
        <CopyButton text={token} label={texts.tokens.copy} word={texts.common.copy} />
      </div>
      <div className={styles['secret']}>
        <pre tabIndex={0} aria-label={texts.tokens.curl}>
          {curl}
        </pre>
        <CopyButton text={curl} label={texts.tokens.curl} word={texts.tokens.curl} />
      </div>
      <FormButtons>
        <Button look="primary" onClick={onClose}>
          {texts.tokens.done}
        </Button>
      </FormButtons>
    </Dialog>
  );
}

function RevokeToken({ token: { key_id, name }, onClose }: { token: ApiKey; onClose: () => void }) {
  const revoke = useMutation({
    ...revokeKeyMutation(),
    onSuccess: async () => {
      await refresh('listKeys');
      onClose();
    },
  });
  return (
    <ConfirmDialog
      isOpen
      onClose={onClose}
      title={texts.tokens.revokeTitle(name)}
      detail={texts.tokens.revokeDetail}
      action={texts.tokens.revoke}
      isDanger
      isBusy={revoke.isPending}
      error={revoke.error}
      onConfirm={() => revoke.mutate({ path: { key_id } })}
    />
  );
}
