import { useMutation, useQuery } from '@tanstack/react-query';
import { deleteIdentity } from 'conversation-analysis-client';
import { listIdentitiesOptions } from 'conversation-analysis-client/react-query';
import { Button } from '../../../components/button.tsx';
import { ConfirmButton } from '../../../components/confirm-button.tsx';
import { Loaded } from '../../../components/loaded.tsx';
import { Panel } from '../../../components/page.tsx';
import { showFailure } from '../../../components/toasts.tsx';
import { Time } from '../../../components/values.tsx';
import { openSsoAction } from '../../../server/login.ts';
import { refresh } from '../../../server/queries.ts';
import { texts } from '../../../texts/index.ts';

const words = texts.security;

export function Identities({ provider }: { provider: string }) {
  const identities = useQuery(listIdentitiesOptions());
  const connect = useMutation({ mutationFn: () => openSsoAction('link'), onError: showFailure });
  const disconnect = async (identity_id: string) => {
    await deleteIdentity({ path: { identity_id }, throwOnError: true });
    await refresh('listIdentities');
  };
  return (
    <Panel title={texts.workspaces.signInPolicies.sso}>
      <Loaded query={identities} lines={1}>
        {({ data }) =>
          data.length === 0 ? (
            <div className="row apart">
              <p>{words.noIdentities}</p>
              <Button disabled={connect.isPending} onClick={() => connect.mutate()}>
                {words.connect(provider)}
              </Button>
            </div>
          ) : (
            data.map(({ identity_id, issuer, email, last_used_at }) => (
              <div key={identity_id} className="row apart">
                <p>
                  {email ?? issuer}{' '}
                  <span className="note">
                    · {issuer} · <Time at={last_used_at} />
                  </span>
                </p>
                <ConfirmButton
                  title={words.disconnectTitle}
                  detail={words.disconnectDetail}
                  action={words.disconnect}
                  isDanger
                  run={() => disconnect(identity_id)}
                />
              </div>
            ))
          )
        }
      </Loaded>
    </Panel>
  );
}
