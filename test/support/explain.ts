/** Reads the plans with which PostgreSQL ran statements, also those inside of functions and triggers. */
import type pg from 'pg';

interface Node {
  'Node Type': string;
  'Relation Name'?: string;
  'Index Name'?: string;
  'Actual Rows': number;
  'Actual Loops': number;
  'Rows Removed by Filter'?: number;
  'Rows Removed by Index Recheck'?: number;
  Plans?: Node[];
}

interface Read {
  /** Rows that the step read, in all of its loops. */
  rows: number;
  /** The kind of step, its table and its index. */
  step: string;
  sql: string;
}

/** Makes PostgreSQL send the plan of each statement as a notice. */
const EXPLAIN = `load 'auto_explain'; set auto_explain.log_min_duration = 0; set auto_explain.log_nested_statements = on;
  set auto_explain.log_analyze = on; set auto_explain.log_timing = off; set auto_explain.log_format = json;
  set auto_explain.log_level = notice; set client_min_messages = notice`;

/** Returns what each step of the plans of all statements of `run` read. */
export async function readsDuring(client: pg.Client, run: () => Promise<void>): Promise<Read[]> {
  const reads: Read[] = [];
  const note = ({ message = '' }: { message?: string | undefined }) => {
    const json = message.split('plan:\n')[1];
    if (json === undefined) return;
    const { Plan: plan, 'Query Text': sql } = JSON.parse(json) as { Plan: Node; 'Query Text': string };
    reads.push(...readsOf(plan).map((read) => ({ ...read, sql })));
  };
  await client.query(EXPLAIN);
  client.on('notice', note);
  await run();
  client.off('notice', note);
  return reads;
}

function readsOf(node: Node): Omit<Read, 'sql'>[] {
  const { Plans: inner = [], 'Node Type': type, 'Relation Name': table = '', 'Index Name': index = '' } = node;
  const removed = (node['Rows Removed by Filter'] ?? 0) + (node['Rows Removed by Index Recheck'] ?? 0);
  const rows = Math.round((node['Actual Rows'] + removed) * node['Actual Loops']);
  return [{ rows, step: `${type} ${table} ${index}` }, ...inner.flatMap(readsOf)];
}
