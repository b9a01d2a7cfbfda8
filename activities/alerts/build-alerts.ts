/** Creates the deliveries of the alerts whose conditions a result meets. */
import type { AlertWebhookPayload, DeliveryFailedPayload, WebhookPayload } from '../../contract/sessions/deliveries.ts';
import type { FieldRow } from '../../contract/fields/field-rows.ts';
import type { FieldValue, ResultField } from '../../contract/fields/result-fields.ts';
import type { AlertFormat } from '../../contract/values/constants.ts';
import type { StoredAlert } from '../../db/models/assistant.ts';
import { DeliveryModel } from '../../db/models/delivery.ts';
import type { NewAlert } from '../../db/queries/session-status.ts';
import { matchAlerts, type MatchedAlert } from './match-alerts.ts';

interface AlertSource {
  /** Null if there are none. */
  alerts: readonly StoredAlert[] | null;
  fields: readonly ResultField[] | undefined;
  /** The values of the fields. */
  rows: readonly FieldRow[];
  workspaceId: string;
  /** Origin of the console for links in messages. Without it, messages have no link. */
  publicUrl: string | undefined;
}

export function buildAlerts({ alerts, fields = [], rows, ...source }: AlertSource, result: WebhookPayload): NewAlert[] {
  return matchAlerts(alerts ?? [], { fields, rows }, result.raw_response).map((match) => ({
    id: DeliveryModel.newId(),
    alert: match.alert.name,
    payload: JSON.stringify(
      match.alert.format === 'slack' ? slackMessage(match, result, source) : explain(match, result),
    ),
  }));
}

function explain({ alert: { name }, matched, titles }: MatchedAlert, result: WebhookPayload): AlertWebhookPayload {
  const shown = titles.size > 0 && { titles: Object.fromEntries(titles) };
  return { ...result, event: 'session.alert', alert: { name, matched, ...shown } };
}

const SUMMARY_CHARACTERS = 500;
const VALUE_CHARACTERS = 100;

/**
 * Returns a message in Slack's format: https://docs.slack.dev/messaging/formatting-message-text. It is one line that begins with the
 * link: otherwise, a conversation could add a line with another link, which Slack makes clickable.
 */
function slackMessage(
  { alert: { name }, matched, titles }: MatchedAlert,
  { session_id, summary_text }: WebhookPayload,
  source: LinkSource,
): { text: string; mrkdwn: false } {
  const values = Object.entries(matched).map(
    ([key, value]) => `${titles.get(key) ?? key}: ${shorten(printValue(value), VALUE_CHARACTERS)}`,
  );
  return slackLine(
    linkTo(source, 'sessions', session_id),
    `${onOneLine(name)} (${values.join(', ')}): ${shorten(summary_text, SUMMARY_CHARACTERS)}`,
  );
}

/** Returns the body of an alert about a delivery whose last attempt failed. */
export function explainFailure(format: AlertFormat, payload: DeliveryFailedPayload, source: LinkSource) {
  if (format === 'json') return payload;
  const { delivery_id, alert, receiver, failed_event, attempts, status_code, failure, failure_code } = payload;
  const reason = failure === 'http_status' ? `HTTP ${status_code}` : [failure, failure_code].filter(Boolean).join(' ');
  return slackLine(
    linkTo(source, 'deliveries', delivery_id),
    `${onOneLine(alert.name)} (${receiver}): ${failed_event}, ${attempts} × ${reason}`,
  );
}

type LinkSource = Pick<AlertSource, 'workspaceId' | 'publicUrl'>;

/** Returns the address of a page of the console, or only the ID if the console's address is unknown. */
const linkTo = ({ workspaceId, publicUrl }: LinkSource, page: 'sessions' | 'deliveries', id: string) =>
  publicUrl === undefined ? id : `${publicUrl}/console/w/${workspaceId}/${page}/${id}`;

const slackLine = (link: string, text: string) => ({ mrkdwn: false as const, text: `${link} – ${escape(text)}` });

/** Returns a value without words, because the service does not know the language of the readers. */
function printValue(value: FieldValue | null): string {
  if (value === null) return '–';
  if (typeof value === 'boolean') return value ? '✓' : '✗';
  return [value].flat().join('; ');
}

function shorten(text: string, max: number): string {
  const line = [...onOneLine(text)];
  return line.length > max ? `${line.slice(0, max - 1).join('')}…` : line.join('');
}

/** Replaces line breaks of all kinds, and other control characters. */
const onOneLine = (text: string) => text.replaceAll(/[\s\p{Cc}]+/gu, ' ').trim();

/**
 * Escapes markup. Otherwise, a conversation that contains `<!channel>` would notify a whole channel, and other programs than Slack
 * would show `[text](url)` as a link.
 */
const escape = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('](', '] (');
