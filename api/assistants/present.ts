import type { Alert } from '../../contract/alerts.ts';
import type { Assistant } from '../../contract/assistant-schemas.ts';
import type { AssistantVersion } from '../../contract/assistants.ts';
import { findMismatch } from '../../contract/field-conditions.ts';
import type { ResultField } from '../../contract/result-fields.ts';
import type { AssistantVersionFields } from '../../db/models/assistant-version.ts';
import type { AssistantModel, StoredAlert } from '../../db/models/assistant.ts';

/** Returns the assistant without its secrets. */
export function presentAssistant(row: AssistantModel): Assistant {
  return {
    ...row.freeze(),
    description: row.description,
    channel_roles: row.channel_roles,
    fields: row.fields,
    redaction: row.redaction,
    version: row.version,
    fallback: row.fallback,
    on_provider_outage: row.on_provider_outage,
    webhook_url: row.webhook_url,
    has_webhook_secret: row.webhook_secret !== null,
    webhook_events: row.webhook_events,
    alerts: (row.alerts ?? []).map((alert) => presentAlert(alert, row.fields ?? [])),
    retention_days: row.retention_days,
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
  };
}

function presentAlert({ secret, ...alert }: StoredAlert, fields: readonly ResultField[]): Alert {
  const broken = alert.when.filter((condition) => findMismatch(condition, fields) !== undefined);
  return { ...alert, has_secret: secret !== null, broken };
}

export function presentVersion(row: AssistantVersionFields): AssistantVersion {
  const { version, settings, restored_from, created_at } = row;
  return { version, settings, restored_from, created_at: created_at.toISOString() };
}
