/** Usage and costs by day and by provider, model, assistant or a key of the metadata. */
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { ChartColumn, Download } from 'lucide-react';
import { getUsageOptions, listAssistantsOptions } from 'conversation-analysis-client/react-query';
import type { UsageReport, UsageRow } from 'conversation-analysis-client';
import { Button, ButtonLink } from '../../components/button.tsx';
import { DayChart } from '../../components/day-chart.tsx';
import { DataTable } from '../../components/data-table.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { Choice, optionsOf } from '../../components/choice.tsx';
import { Loaded } from '../../components/loaded.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { Page, Panel, Skeleton } from '../../components/page.tsx';
import { formatUsd } from '../../format/numbers.ts';
import { providerName } from '../../format/providers.ts';
import { zoneName } from '../../format/times.ts';
import { saveFile } from '../../components/save-file.ts';
import { texts } from '../../texts/index.ts';
import { BudgetPanel } from '../../budget/budget-panel.tsx';
import { SetBudgetButton } from '../../budget/set-budget-button.tsx';
import { toUsageColumns, toUsageCsv } from './usage-columns.tsx';
import { isMetadata, keyOf, metadataGroups } from '../../search/groups.ts';
import { PERIODS, type PeriodName } from '../../search/named-period.ts';
import { daysOf, momentsOf, usePeriod } from '../../search/period.ts';
import { groupOf, isUsageGroup, OTHERS, stack, USAGE_GROUPS, type UsageGroup } from './usage-series.ts';

const route = getRouteApi('/inside/usage');

export function UsagePage() {
  const { range = 'month', ...search } = route.useSearch();
  const group = [search.group ?? ''].find(isUsageGroup) ?? 'provider';
  const query = { ...usePeriod(range), group_by: `day,${group}` };
  const usage = useQuery(getUsageOptions({ query }));
  return (
    <Page>
      <PageHeader
        title={texts.shell.usage}
        actions={
          <>
            <Choices range={range} group={group} keys={usage.data?.metadata_keys ?? []} />
            <SetBudgetButton label={texts.usage.setBudget} />
          </>
        }
      />
      <BudgetPanel />
      <Loaded query={usage} lines={8}>
        {(report) => (report.data.length === 0 ? <NoUsage /> : <Report report={report} group={group} />)}
      </Loaded>
    </Page>
  );
}

/** Fewer days are as clear in the table. */
const ENOUGH_DAYS = 3;

const nameOfGroup = (group: UsageGroup) =>
  isMetadata(group) ? texts.usage.byKey(keyOf(group)) : texts.usage.by[group];

const NoUsage = () => (
  <EmptyState
    icon={ChartColumn}
    title={texts.usage.none}
    detail={texts.usage.noneDetail}
    actions={
      <ButtonLink to="/start" scope="requests:write">
        {texts.shell.start}
      </ButtonLink>
    }
  />
);

/** @param keys keys of the metadata by which the costs can be grouped. */
function Choices({ range, group, keys }: { range: PeriodName; group: UsageGroup; keys: readonly string[] }) {
  const navigate = route.useNavigate();
  const choose = (change: { range?: PeriodName; group?: UsageGroup }) =>
    void navigate({ search: (search) => ({ ...search, ...change }), replace: true });
  return (
    <div className="row">
      <Choice
        label={texts.lists.range}
        options={optionsOf(PERIODS, texts.lists.ranges)}
        value={range}
        onChoose={(value) => choose({ range: value })}
      />
      <Choice
        label={texts.usage.group}
        options={[...USAGE_GROUPS, ...metadataGroups(keys, group)].map((value) => ({
          value,
          label: nameOfGroup(value),
        }))}
        value={group}
        onChoose={(value) => choose({ group: value })}
      />
    </div>
  );
}

function Report({ report, group }: { report: UsageReport; group: UsageGroup }) {
  const nameOf = useNames(group);
  const navigate = useNavigate();
  const { data: rows, totals, from, to } = report;
  if (!nameOf) return <Skeleton lines={8} />;
  const { series, costs } = stack(rows, { group, days: daysOf({ from, to }), nameOf, othersName: texts.usage.others });
  return (
    <>
      <Panel
        title={texts.usage.table}
        isFlush
        actions={
          <Button onClick={() => saveFile(`usage-${from}-${to}.csv`, toUsageCsv(rows, group, nameOf))}>
            <Download size={14} aria-hidden />
            {texts.usage.csv}
          </Button>
        }
      >
        <DataTable
          caption={texts.usage.table}
          columns={toUsageColumns(group, nameOf)}
          rows={[totals, ...rows.toReversed()]}
          rowKey={(row: UsageRow) => `${row.day} ${groupOf(row, group)}`}
        />
      </Panel>
      {new Set(rows.map(({ day }) => day)).size >= ENOUGH_DAYS && (
        <Panel title={texts.usage.perDay}>
          <DayChart
            label={texts.usage.chartLabel(nameOfGroup(group))}
            series={series}
            days={costs}
            format={formatUsd}
            totalName={texts.steps.total}
            onOpen={(day) =>
              void navigate({ to: '/sessions', search: { reanalysis: 'any', ...momentsOf({ from: day, to: day }) } })
            }
          />
        </Panel>
      )}
      <p className="note">{texts.usage.days(zoneName())}</p>
    </>
  );
}

/** Returns a function that names a group, or undefined while the names load. A deleted assistant is named by its ID. */
function useNames(group: UsageGroup): ((key: string) => string) | undefined {
  const { data, isLoading } = useQuery({ ...listAssistantsOptions(), enabled: group === 'assistant' });
  if (isLoading) return undefined;
  const names = new Map(data?.data.map(({ id, name }) => [id, name]));
  return (key) => {
    if (key === OTHERS) return texts.usage.others;
    if (isMetadata(group)) return key === '' ? texts.usage.noValue : key;
    return key === '' ? texts.usage.noModel : (names.get(key) ?? providerName(key) ?? key);
  };
}
