import type { AuditEvent } from 'conversation-analysis-client';
import { formatUsd } from '../../format/numbers.ts';
import { texts } from '../../texts/index.ts';

const NAMES: Record<string, string> = { ...texts.audit.details, object_id: texts.audit.object };

/** Display texts for values that are codes. */
const VALUES: Record<string, string> = {
  ...texts.share.parts,
  ...texts.audit.values,
  ...texts.batches.actions,
  ...texts.workspaces.roles,
  ...texts.workspaces.signInPolicies,
  ...texts.versions.settings,
  ...texts.assistant.unversioned,
  type: texts.versions.properties.type,
  webhook_secret: texts.assistant.webhookSecret,
  true: texts.fields.yes,
  false: texts.fields.no,
  ...Object.fromEntries(
    Object.entries({ ...texts.problem.codes, ...texts.problems }).map(([code, { title }]) => [code, title]),
  ),
  // Only of failed logins.
  unauthorized: texts.login.refused.detail,
};

/** Returns the details of an audit event in words, as in "Settings: Webhook URL, Webhook secret". */
export const printDetails = ({ details }: Pick<AuditEvent, 'details'>) =>
  Object.entries(details)
    .map(
      ([name, value]) =>
        `${NAMES[name] ?? name}: ${name.endsWith('_usd') && value !== null ? formatUsd(Number(value)) : printValue(value)}`,
    )
    .join(' · ');

function printValue(value: AuditEvent['details'][string]): string {
  if (value === null) return texts.labels.none;
  const parts = String(value).split(', ');
  return parts.map((part) => VALUES[part] ?? part).join(', ');
}
