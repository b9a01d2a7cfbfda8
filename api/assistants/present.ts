import type { Assistant } from '../../contract/assistant-schemas.ts';
import type { AssistantVersion } from '../../contract/assistants.ts';
import type { AssistantVersionFields } from '../../db/models/assistant-version.ts';
import type { AssistantModel } from '../../db/models/assistant.ts';

/** Returns the assistant without its webhook secret. */
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
    retention_days: row.retention_days,
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
  };
}

export function presentVersion(row: AssistantVersionFields): AssistantVersion {
  const { version, settings, restored_from, created_at } = row;
  return { version, settings, restored_from, created_at: created_at.toISOString() };
}
