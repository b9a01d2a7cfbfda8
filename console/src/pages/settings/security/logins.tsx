import { useMutation, useQuery } from '@tanstack/react-query';
import { endLoginMutation, listLoginsOptions } from 'conversation-analysis-client/react-query';
import type { ActiveLogin } from 'conversation-analysis-client';
import { Button } from '../../../components/button.tsx';
import { DataTable, type Column } from '../../../components/data-table.tsx';
import { Loaded } from '../../../components/loaded.tsx';
import { Panel } from '../../../components/page.tsx';
import { reporting } from '../../../components/updates.ts';
import { Time } from '../../../components/values.tsx';
import { texts } from '../../../texts/index.ts';

export function Logins() {
  const logins = useQuery(listLoginsOptions());
  const end = useMutation({ ...endLoginMutation(), ...reporting('listLogins') });
  return (
    <Panel title={texts.account.logins} isFlush>
      <Loaded query={logins}>
        {({ data }) => (
          <DataTable
            caption={texts.account.logins}
            columns={loginColumns((login_id) => end.mutate({ path: { login_id } }))}
            rows={data}
            rowKey={({ login_id }) => login_id}
          />
        )}
      </Loaded>
    </Panel>
  );
}

/** Browsers by user agent. The first match counts: Edge also names Chrome, and Chrome also names Safari. */
const BROWSERS = { Edg: 'Edge', OPR: 'Opera', Firefox: 'Firefox', Chrome: 'Chrome', Safari: 'Safari' };
const SYSTEMS = {
  Windows: 'Windows',
  Android: 'Android',
  iPhone: 'iOS',
  iPad: 'iPadOS',
  'Mac OS': 'macOS',
  CrOS: 'ChromeOS',
  Linux: 'Linux',
};

/** Returns, for example, "Firefox on Windows"; undefined if the program is not a known browser. */
function programOf(userAgent: string | null): string | undefined {
  const find = (names: Record<string, string>) =>
    Object.entries(names).find(([token]) => userAgent?.includes(token))?.[1];
  const [browser, system] = [find(BROWSERS), find(SYSTEMS)];
  return browser && system && texts.account.program(browser, system);
}

const loginColumns = (end: (loginId: string) => void): Column<ActiveLogin>[] => [
  {
    key: 'where',
    title: texts.audit.login,
    isWide: true,
    cell: ({ user_agent, address, kind, current }) => {
      const program = programOf(user_agent) ?? texts.account.kinds[kind];
      const text = [current && texts.account.thisOne, program, address].filter(Boolean).join(' · ');
      return <span title={[text, user_agent].filter(Boolean).join('\n')}>{text}</span>;
    },
  },
  { key: 'since', title: texts.account.since, isSecondary: true, cell: ({ created_at }) => <Time at={created_at} /> },
  { key: 'used', title: texts.tokens.lastUsed, cell: ({ last_used_at }) => <Time at={last_used_at} /> },
  {
    key: 'end',
    title: texts.common.actions,
    align: 'end',
    cell: ({ login_id, current }) =>
      !current && (
        <Button size="small" onClick={() => end(login_id)}>
          {texts.account.end}
        </Button>
      ),
  },
];
