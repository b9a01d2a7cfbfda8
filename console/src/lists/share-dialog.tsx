/** Creates and revokes the links that show a session or an experiment without a login. */
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { revokeShare } from 'conversation-analysis-client';
import { createShareMutation, listSharesOptions } from 'conversation-analysis-client/react-query';
import type { SharePart } from '../../../contract/values/session-lists.ts';
import { optionsOf } from '../components/choice.tsx';
import { ConfirmButton } from '../components/confirm-button.tsx';
import { Dialog } from '../components/dialog.tsx';
import { Form, FormButtons, SelectField } from '../components/field.tsx';
import { Id, Time } from '../components/values.tsx';
import { refresh } from '../server/queries.ts';
import { texts } from '../texts/index.ts';

const words = texts.share;
const DAYS = 7;

const OF_SESSION = ['result', 'conversation'] as const;
type What = (typeof OF_SESSION)[number] | 'verdict';

const PARTS: Record<What, SharePart[]> = {
  result: ['summary', 'fields'],
  conversation: ['summary', 'fields', 'conversation'],
  verdict: ['verdict', 'settings'],
};

export type Shared = { session_id: string } | { batch_id: string };

export function ShareDialog({ shared, onClose }: { shared: Shared; onClose: () => void }) {
  const [link, setLink] = useState<string>();
  const create = useMutation({
    ...createShareMutation(),
    onSuccess: ({ token }) => {
      setLink(`${location.origin}/console/shared#${token}`);
      void refresh('listShares');
    },
  });
  const { data: open } = useQuery(listSharesOptions({ query: { ...shared, limit: 100 } }));
  return (
    <Dialog onClose={onClose} title={words.title}>
      <div className="stack">
        <p>{words.detail}</p>
        {link === undefined ? (
          <Form
            error={create.error}
            isGuarded={false}
            onSubmit={({ what = 'verdict' }) =>
              create.mutate({ body: { ...shared, parts: PARTS[what as What], expires_in_days: DAYS } })
            }
          >
            {'session_id' in shared && (
              <SelectField name="what" label={words.what} options={optionsOf(OF_SESSION, words.choices)} />
            )}
            <p className="note">{words.expires(DAYS)}</p>
            <FormButtons submit={words.create} isDisabled={create.isPending} onCancel={onClose} />
          </Form>
        ) : (
          <>
            <p>{words.once}</p>
            <Id value={link} label={words.link} />
          </>
        )}
        {open && open.data.length > 0 && (
          <>
            <h3>{words.open}</h3>
            <ul className="stack">
              {open.data.map(({ share_id: id, parts: shown, expires_at }) => (
                <li key={id} className="row apart">
                  <span>
                    {shown.map((part) => words.parts[part]).join(', ')} {words.until} <Time at={expires_at} />
                  </span>
                  <ConfirmButton
                    scope="sessions:write"
                    title={words.revoke}
                    detail={words.link}
                    action={words.revoke}
                    run={async () => {
                      await revokeShare({ path: { id }, throwOnError: true });
                      await refresh('listShares');
                    }}
                  />
                </li>
              ))}
            </ul>
          </>
        )}
      </div>
    </Dialog>
  );
}
