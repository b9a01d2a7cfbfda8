import type { Alert } from '../../contract/assistants/alerts.ts';
import { AssistantSchema } from '../../contract/assistants/assistant-schemas.ts';
import { AssistantVersionSchema } from '../../contract/assistants/assistants.ts';
import { findMismatch } from '../../contract/fields/conditions.ts';
import type { ResultField } from '../../contract/fields/result-fields.ts';
import type { AssistantVersionColumns } from '../../db/models/assistant-version.ts';
import type { AssistantModel, StoredAlert } from '../../db/models/assistant.ts';
import { presentRow } from '../http/handle.ts';

/** Returns the assistant without its secrets. */
export const presentAssistant = (row: AssistantModel) =>
  presentRow(AssistantSchema, {
    ...row,
    vocabulary: row.vocabulary ?? undefined,
    economy: row.economy || undefined,
    follow_ups: row.follow_ups ?? undefined,
    has_webhook_secret: row.webhook_secret !== null,
    alerts: (row.alerts ?? []).map((alert) => presentAlert(alert, row.fields ?? [])),
  });

function presentAlert(
  { secret, event = 'session.alert', ...alert }: StoredAlert,
  fields: readonly ResultField[],
): Alert {
  const broken = alert.when.filter((condition) => findMismatch(condition, fields) !== undefined);
  return { ...alert, event, has_secret: secret !== null, broken };
}

export const presentVersion = (row: AssistantVersionColumns) => presentRow(AssistantVersionSchema, row);
