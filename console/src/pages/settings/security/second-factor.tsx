import { encode } from 'uqr';
import { useMutation, useQuery } from '@tanstack/react-query';
import { createRecoveryCodes, deleteSecondFactor } from 'conversation-analysis-client';
import {
  confirmSecondFactorMutation,
  getSecondFactorOptions,
  startSecondFactorMutation,
} from 'conversation-analysis-client/react-query';
import { useState } from 'react';
import { Button } from '../../../components/button.tsx';
import { CodeBlock } from '../../../components/code-block.tsx';
import { ConfirmButton } from '../../../components/confirm-button.tsx';
import { CodeField, Form, FormButtons } from '../../../components/field.tsx';
import { Panel } from '../../../components/page.tsx';
import { Problem } from '../../../components/problem-note.tsx';
import { loginOptions } from '../../../server/login.ts';
import { queryClient, refreshAll } from '../../../server/queries.ts';
import { texts } from '../../../texts/index.ts';
import { RecoveryCodes } from './recovery-codes.tsx';
import styles from './security.module.css';

const words = texts.security;

/** Refreshes the user, and all data that the workspace's sign-in policy may have refused before. */
async function refreshAccess(): Promise<void> {
  await queryClient.invalidateQueries(loginOptions);
  await refreshAll();
}

export function SecondFactor({ isOn }: { isOn: boolean }) {
  const [codes, setCodes] = useState<string[]>();
  return (
    <Panel title={texts.workspaces.signInPolicies.second_factor}>
      {codes ? (
        <RecoveryCodes codes={codes} onClose={() => setCodes(undefined)} />
      ) : isOn ? (
        <TurnedOn onCodes={setCodes} />
      ) : (
        <SetUp onCodes={setCodes} />
      )}
    </Panel>
  );
}

interface PartProps {
  /** Receives new recovery codes, which no other response contains. */
  onCodes: (codes: string[]) => void;
}

function SetUp({ onCodes }: PartProps) {
  const start = useMutation(startSecondFactorMutation());
  const confirm = useMutation({
    ...confirmSecondFactorMutation(),
    onSuccess: ({ recovery_codes }) => {
      onCodes(recovery_codes);
      void refreshAccess();
    },
  });
  if (!start.data) {
    return (
      <div className="stack">
        {start.error !== null && <Problem error={start.error} />}
        <div className="row apart">
          <p>{words.factorOff}</p>
          <Button disabled={start.isPending} onClick={() => start.mutate({})}>
            {words.setUp}
          </Button>
        </div>
      </div>
    );
  }
  const { secret, uri } = start.data;
  return (
    <Form isGuarded={false} error={confirm.error} onSubmit={({ code = '' }) => confirm.mutate({ body: { code } })}>
      <p>{words.scan}</p>
      <div className={styles['secret']}>
        <QrCode text={uri} label={words.qr} />
        <CodeBlock text={secret} label={words.secret} />
      </div>
      <CodeField hint={words.codeHint} autoFocus />
      <FormButtons submit={words.turnOn} isDisabled={confirm.isPending} onCancel={() => start.reset()} />
    </Form>
  );
}

function TurnedOn({ onCodes }: PartProps) {
  const { data: factor } = useQuery(getSecondFactorOptions());
  const replaceCodes = async () => {
    const { data } = await createRecoveryCodes({ throwOnError: true });
    onCodes(data.recovery_codes);
    void refreshAccess();
  };
  const turnOff = async () => {
    await deleteSecondFactor({ throwOnError: true });
    await refreshAccess();
  };
  return (
    <div className="row apart">
      <p>
        {words.factorOn} {factor?.enabled && words.codesLeft(factor.recovery_codes)}
      </p>
      <div className="row">
        <ConfirmButton
          title={words.replaceTitle}
          detail={words.replaceDetail}
          action={words.replaceCodes}
          run={replaceCodes}
        />
        <ConfirmButton
          title={words.turnOffTitle}
          detail={words.turnOffDetail}
          action={words.turnOff}
          isDanger
          run={turnOff}
        />
      </div>
    </div>
  );
}

/** A QR code. Dark on light in every theme, because some cameras can't read the inverse. */
function QrCode({ text, label }: { text: string; label: string }) {
  const { data, size } = encode(text, { border: 4 });
  const path = data.flatMap((row, y) => row.map((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : ''))).join('');
  return (
    <svg
      role="img"
      aria-label={label}
      viewBox={`0 0 ${size} ${size}`}
      className={styles['qr']}
      shapeRendering="crispEdges"
    >
      <path d={path} />
    </svg>
  );
}
