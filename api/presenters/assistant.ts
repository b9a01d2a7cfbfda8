import type { Assistant } from '../../contract/assistants.ts';
import type { AssistantModel } from '../../db/models/assistant.ts';

/** Shows an assistant. The secret stays inside; that there is one is all that is told. */
export function presentAssistant(row: AssistantModel): Assistant {
  return {
    ...row.freeze(),
    description: row.description,
    channel_roles: row.channel_roles,
    fields: row.fields,
    version: row.version,
    fallback: row.fallback,
    on_vendor_outage: row.on_vendor_outage,
    webhook_url: row.webhook_url,
    has_webhook_secret: row.webhook_secret !== null,
    webhook_events: row.webhook_events,
    retention_days: row.retention_days,
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
  };
}
