/** `npm run dashboard`: writes Grafana's dashboard, deploy/grafana/dashboard.json. */
import { printFiles } from './print-files.ts';

const DATASOURCE = { type: 'prometheus', uid: '${datasource}' };
const RATE = '$__rate_interval';
const HEIGHT = 8;
const WIDTH = 12;

interface Panel {
  title: string;
  /** One of Grafana's units. */
  unit: string;
  /** Expressions by legend. */
  lines: Record<string, string>;
}

const p95 = (histogram: string, by = '') =>
  `histogram_quantile(0.95, sum by (le${by && `, ${by}`}) (rate(${histogram}_bucket[${RATE}])))`;

const PANELS: Panel[] = [
  {
    title: 'Ended sessions',
    unit: 'ops',
    lines: { '{{status}}': `sum by (status) (rate(cas_sessions_ended_total[${RATE}]))` },
  },
  { title: 'Unfinished sessions', unit: 'short', lines: { '{{status}}': 'max by (status) (cas_sessions)' } },
  { title: 'Longest time in the queue', unit: 's', lines: { age: 'max(cas_oldest_queued_session_age_seconds)' } },
  {
    title: 'Needs attention',
    unit: 'short',
    lines: {
      'stuck workflows': 'max(cas_stuck_workflows)',
      'silent workers': 'max(cas_workers{state="silent"})',
      'running workers': 'max(cas_workers{state="alive"})',
      'circuit open, {{provider}}': 'max by (provider) (cas_circuit_open)',
    },
  },
  {
    title: 'Provider calls',
    unit: 'ops',
    lines: { '{{provider}}, {{fault}}': `sum by (provider, fault) (rate(cas_provider_calls_total[${RATE}]))` },
  },
  {
    title: 'Provider call duration, p95',
    unit: 's',
    lines: { '{{provider}}': p95('cas_provider_call_duration_seconds', 'provider') },
  },
  {
    title: 'Webhook attempts',
    unit: 'ops',
    lines: { '{{delivery}}, {{failure}}': `sum by (delivery, failure) (rate(cas_delivery_attempts_total[${RATE}]))` },
  },
  {
    title: 'Requests',
    unit: 'reqps',
    lines: { '{{status}}': `sum by (status) (rate(cas_http_requests_total[${RATE}]))` },
  },
  {
    title: 'Request duration, p95',
    unit: 's',
    lines: { '{{operation}}': p95('cas_http_request_duration_seconds', 'operation') },
  },
  {
    title: 'Emails',
    unit: 'ops',
    lines: { '{{outcome}}': `sum by (outcome) (rate(cas_mails_total[${RATE}]))` },
  },
  {
    title: 'Free worker slots',
    unit: 'short',
    lines: { '{{instance}}, {{worker_type}}': 'sum by (instance, worker_type) (temporal_worker_task_slots_available)' },
  },
  {
    title: 'Task wait for a worker, p95',
    unit: 'ms',
    lines: {
      workflow: p95('temporal_workflow_task_schedule_to_start_latency'),
      activity: p95('temporal_activity_schedule_to_start_latency'),
    },
  },
  {
    title: 'Memory and event loop',
    unit: 'short',
    lines: {
      '{{instance}}, MiB': 'process_resident_memory_bytes / 1048576',
      '{{instance}}, loop p99 ms': 'nodejs_eventloop_lag_p99_seconds * 1000',
    },
  },
];

const panels = PANELS.map(({ title, unit, lines }, index) => ({
  id: index + 1,
  type: 'timeseries',
  title,
  datasource: DATASOURCE,
  gridPos: { x: (index % 2) * WIDTH, y: Math.floor(index / 2) * HEIGHT, w: WIDTH, h: HEIGHT },
  fieldConfig: { defaults: { unit, min: 0 }, overrides: [] },
  targets: Object.entries(lines).map(([legendFormat, expr], line) => ({
    refId: String.fromCharCode('A'.charCodeAt(0) + line),
    expr,
    legendFormat,
    datasource: DATASOURCE,
  })),
}));

const dashboard = {
  uid: 'conversation-analysis',
  title: 'Conversation analysis',
  schemaVersion: 41,
  refresh: '30s',
  time: { from: 'now-6h', to: 'now' },
  templating: { list: [{ name: 'datasource', type: 'datasource', query: 'prometheus' }] },
  panels,
};

printFiles('npm run dashboard', { 'deploy/grafana/dashboard.json': `${JSON.stringify(dashboard, null, 2)}\n` });
