/** Creates the deliveries of the alerts whose conditions a result meets. */
import type { AlertWebhookPayload, WebhookPayload } from '../../contract/sessions/deliveries.ts';
import type { ResultField } from '../../contract/values/result-fields.ts';
import type { StoredAlert } from '../../db/models/assistant.ts';
import { DeliveryModel } from '../../db/models/delivery.ts';
import type { NewAlert } from '../../db/queries/session-status.ts';
import { matchAlerts } from './match-alerts.ts';
import type { MatchedAlert } from './match-alerts.ts';

interface AlertSource {
  /** Null if there are none. */
  alerts: readonly StoredAlert[] | null;
  fields: readonly ResultField[] | undefined;
  workspaceId: string;
  /** Origin of the console for links in messages. Without it, messages have no link. */
  publicUrl: string | undefined;
}

export function buildAlerts({ alerts, fields = [], ...source }: AlertSource, result: WebhookPayload): NewAlert[] {
  return matchAlerts(alerts ?? [], fields, result.raw_response).map((match) => ({
    id: DeliveryModel.newId(),
    alert: match.alert.name,
    payload: JSON.stringify(
      match.alert.format === 'slack' ? slackMessage(match, result, source) : explain(match, result),
    ),
  }));
}

function explain({ alert: { name }, matched }: MatchedAlert, result: WebhookPayload): AlertWebhookPayload {
  return { ...result, event: 'session.alert', alert: { name, matched } };
}

const SUMMARY_CHARACTERS = 500;

/**
 * Returns a message in Slack's format: https://docs.slack.dev/messaging/formatting-message-text. It is one line that begins with the
 * link: otherwise, a conversation could add a line with another link, which Slack makes clickable.
 */
function slackMessage(
  { alert: { name } }: MatchedAlert,
  { session_id, summary_text }: WebhookPayload,
  { workspaceId, publicUrl }: Pick<AlertSource, 'workspaceId' | 'publicUrl'>,
): { text: string; mrkdwn: false } {
  const summary = [...onOneLine(summary_text)];
  const isLong = summary.length > SUMMARY_CHARACTERS;
  const short = isLong ? `${summary.slice(0, SUMMARY_CHARACTERS - 1).join('')}…` : summary.join('');
  const link = publicUrl === undefined ? session_id : `${publicUrl}/console/w/${workspaceId}/sessions/${session_id}`;
  return { mrkdwn: false, text: `${link} – ${escape(onOneLine(name))}: ${escape(short)}` };
}

/** Replaces line breaks of all kinds, and other control characters. */
const onOneLine = (text: string) => text.replaceAll(/[\s\p{Cc}]+/gu, ' ').trim();

/**
 * Escapes markup. Otherwise, a conversation that contains `<!channel>` would notify a whole channel, and other programs than Slack
 * would show `[text](url)` as a link.
 */
const escape = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('](', '] (');
