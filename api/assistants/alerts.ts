/** Converts the alerts of requests to rows, and checks their conditions. */
import { isDeepStrictEqual } from 'node:util';
import type { AlertInput } from '../../contract/assistants/alerts.ts';
import { errorAt } from '../../contract/errors/field-errors.ts';
import type { PropertyError } from '../../contract/errors/problem.ts';
import { findMismatch } from '../../contract/fields/conditions.ts';
import type { ResultField } from '../../contract/fields/result-fields.ts';
import { alertOwner, type AssistantModel, type StoredAlert } from '../../db/models/assistant.ts';
import type { ApiDeps } from '../deps.ts';
import { copySecret, secretAfter } from './receiver-secrets.ts';

type AlertDeps = Pick<ApiDeps, 'secrets'>;
type Given = readonly AlertInput[] | null | undefined;

/**
 * Returns an error for each condition that does not match the fields. Conditions that are unchanged since `before` are not
 * checked, so a removed field does not prevent other changes.
 */
export function checkConditions(
  fields: readonly ResultField[] | null,
  alerts: Given,
  before: readonly StoredAlert[] | null = null,
): PropertyError[] {
  return (alerts ?? []).flatMap(({ name, when }, index) => {
    if (isDeepStrictEqual(when, findAlert(before, name)?.when)) return [];
    return checkWhen(`alerts.${index}`, when, fields);
  });
}

/** Returns an error for each condition that does not match the fields. @param path of what has the conditions. */
export const checkWhen = (path: string, when: readonly string[], fields: readonly ResultField[] | null) =>
  when.flatMap((condition, position) => {
    const fault = findMismatch(condition, fields ?? []);
    return fault ? [errorAt(`${path}.when.${position}`, ...fault)] : [];
  });

/** Returns the alerts of a request for storage. Without a new secret, an alert keeps the secret of the alert with the same name and URL. */
export function sealAlerts(
  deps: AlertDeps,
  { id, alerts: before }: Pick<AssistantModel, 'id' | 'alerts'>,
  alerts: Given,
): StoredAlert[] | null {
  if (!alerts?.length) return null;
  return alerts.map(({ name, event, when, format, auth, secret, ...given }) => {
    const url = new URL(given.url).href;
    const after = { url, secret, owner: alertOwner(id, name) };
    return { name, event, when, url, secret: secretAfter(deps, findAlert(before, name), after), auth, format };
  });
}

/** Returns the alerts for a copy of the assistant. */
export function copyAlerts(deps: AlertDeps, { id, alerts }: Pick<AssistantModel, 'id' | 'alerts'>, copyId: string) {
  const copy = ({ secret, ...alert }: StoredAlert): StoredAlert => {
    const owners = { from: alertOwner(id, alert.name), to: alertOwner(copyId, alert.name) };
    return { ...alert, secret: copySecret(deps, secret, owners) };
  };
  return alerts && alerts.map(copy);
}

const findAlert = (alerts: readonly StoredAlert[] | null, name: string) => alerts?.find((alert) => alert.name === name);
