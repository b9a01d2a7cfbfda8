import { isDeepStrictEqual } from 'node:util';
import { Model } from 'objection';
import type { TransactionOrKnex } from 'objection';
import type {
  WebhookAuth,
  AlertEvent,
  AlertFormat,
  AssistantType,
  LlmProviderName,
  OutageChoice,
  ReasoningEffort,
  SessionEvent,
  SttProviderName,
} from '../../contract/values/constants.ts';
import type { RedactionSettings } from '../../contract/values/redaction.ts';
import type { ResultField } from '../../contract/fields/result-fields.ts';
import type { FrozenAssistant } from '../../contract/sessions/sessions.ts';
import { askedOf, versionedOf } from '../../contract/assistants/versioned-settings.ts';
import type { FollowUp } from '../../contract/assistants/follow-ups.ts';
import type { Fallback, VersionedSettings } from '../../contract/assistants/versioned-settings.ts';
import { now, readRows, runPrepared } from '../statements.ts';
import { findPage } from '../page.ts';
import type { PageRequest } from '../page.ts';
import { AssistantVersionModel } from './assistant-version.ts';

const PROMPT_AND_FIELDS_BYTES = 'octet_length(system_prompt) + coalesce(octet_length(fields::text), 0)';

/** One row of `assistants`. */
export class AssistantModel extends Model {
  static override tableName = 'assistants';
  static override jsonAttributes = [
    'alerts',
    'channel_roles',
    'fallback',
    'fields',
    'follow_ups',
    'redaction',
    'vocabulary',
  ];
  // `declare` emits no field. `id!: string` would give every row undefined properties.
  declare id: string;
  declare workspace_id: string;
  declare name: string;
  declare type: AssistantType;
  declare description: string | null;
  declare stt_provider: SttProviderName | null;
  declare stt_model: string | null;
  declare stt_language: string | null;
  /** Speaker of each channel; null: speakers are not separated by channel. */
  declare channel_roles: string[] | null;
  declare vocabulary: string[] | null;
  /** Half the price where the provider sells it, for sessions without a waiting client. */
  declare economy: boolean;
  /** Refuses recordings with another number of channels than `channel_roles` name. */
  declare channels_required: boolean;
  declare llm_provider: LlmProviderName;
  declare llm_model: string;
  declare system_prompt: string;
  declare temperature: number;
  /** null: the default. */
  declare reasoning_effort: ReasoningEffort | null;
  declare max_output_tokens: number | null;
  /** null: none. Never empty. */
  declare fields: ResultField[] | null;
  declare webhook_url: string | null;
  /** Encrypted for this row by `runtime/secrets/secrets.ts`. */
  declare webhook_secret: string | null;
  declare webhook_auth: WebhookAuth;
  /** What is replaced in conversations; null: nothing. */
  declare redaction: RedactionSettings | null;
  /** null: none. */
  declare fallback: Fallback | null;
  declare on_provider_outage: OutageChoice;
  declare webhook_events: SessionEvent[];
  /** null: none. Never empty. */
  declare alerts: StoredAlert[] | null;
  /** null: none. Never empty. */
  declare follow_ups: FollowUp[] | null;
  /** Days that sessions are kept after their end; null: the setting of the installation. */
  declare retention_days: number | null;
  declare created_at: Date;
  declare updated_at: Date;
  declare version: number;
  /** When the current version was created; null: with the assistant. */
  declare version_created_at: Date | null;
  /** The token or the user that created the current version; null: unknown. */
  declare version_created_by: string | null;
  /** The version whose settings were restored; null: settings were changed. */
  declare restored_from: number | null;
  /** A deleted assistant's row is emptied, but keeps `retention_days` for its sessions. null: not deleted. */
  declare deleted_at: Date | null;

  static insertRow(row: NewAssistant) {
    return AssistantModel.query().insert(row).returning('*');
  }

  /** Finds the assistants of a workspace that are not deleted. */
  static findExisting(workspaceId: string, trx?: TransactionOrKnex) {
    return AssistantModel.query(trx).where({ workspace_id: workspaceId }).whereNull('deleted_at');
  }

  static findOwned(workspaceId: string, id: string, trx?: TransactionOrKnex) {
    return AssistantModel.findExisting(workspaceId, trx).findById(id);
  }

  /** Finds the assistant of a new session. */
  static async findForSession(workspaceId: string, id: string): Promise<AssistantModel | undefined> {
    const [row] = await runPrepared<object>(
      'select * from assistants where id = :id and workspace_id = :workspaceId and deleted_at is null',
      { id, workspaceId },
    );
    return row && AssistantModel.fromDatabaseJson(row);
  }

  static findOwnedPage(workspaceId: string, page: PageRequest) {
    return findPage(AssistantModel.findExisting(workspaceId), page);
  }

  /** Returns the assistants whose results choose sessions of this one, now or by a batch, with the conditions. */
  static findChoosing(workspaceId: string, id: string): Promise<FollowUp[]> {
    return readRows(
      `select id as assistant_id, each -> 'when' as "when" from assistants cross join jsonb_array_elements(follow_ups) each
       where workspace_id = :workspaceId and deleted_at is null and each ->> 'assistant_id' = :id and each -> 'when' <> '[]'
       union select filter ->> 'assistant_id', filter -> 'field' from batches
       where workspace_id = :workspaceId and action = 'analyze' and settings ->> 'id' = :id
         and filter ->> 'assistant_id' is not null and filter -> 'field' <> '[]'
       order by assistant_id`,
      { workspaceId, id },
    );
  }

  /** Returns the size of the prompts and fields of all assistants of a workspace, in bytes. */
  static async countBytes(workspaceId: string, trx: TransactionOrKnex): Promise<number> {
    const row = await AssistantModel.findExisting(workspaceId, trx)
      .select(AssistantModel.raw(`coalesce(sum(${PROMPT_AND_FIELDS_BYTES}), 0)::float8 as bytes`))
      .first()
      .castTo<{ bytes: number } | undefined>();
    return row?.bytes ?? 0;
  }

  /**
   * Locks a row and sets the columns that `change` returns. Returns undefined if there is no such row. `updated_at` always
   * increases. A change of versioned settings creates a version, unless only titles of fields change, and calls `resized`
   * before the commit.
   */
  static changeOwned(
    workspaceId: string,
    id: string,
    change: (row: AssistantModel) => Partial<AssistantColumns>,
    {
      created_by,
      restored_from = null,
      resized,
    }: {
      created_by: string;
      restored_from?: number | null;
      resized: (trx: TransactionOrKnex) => Promise<void>;
    },
  ): Promise<AssistantModel | undefined> {
    return AssistantModel.transaction(async (trx) => {
      const row = await AssistantModel.findOwned(workspaceId, id, trx).forUpdate();
      if (!row) return undefined;
      const columns = change(row);
      const updated_at = AssistantModel.raw(
        "greatest(now(), updated_at + interval '1 millisecond')",
      ) as unknown as Date;
      const [before, after] = [versionedOf(row), versionedOf({ ...row, ...columns })];
      if (isDeepStrictEqual(before, after)) return row.$query(trx).patchAndFetch({ ...columns, updated_at });
      const isNew = !isDeepStrictEqual(askedOf(before), askedOf(after));
      if (isNew) await AssistantVersionModel.keep(row, trx);
      const version = isNew && {
        version: row.version + 1,
        version_created_at: updated_at,
        version_created_by: created_by,
        restored_from,
      };
      const changed = await row.$query(trx).patchAndFetch({ ...columns, updated_at, ...version });
      await resized(trx);
      return changed;
    });
  }

  /** Deletes an assistant with its versions. Returns false if it does not exist. */
  static deleteOwned(workspaceId: string, id: string): Promise<boolean> {
    return AssistantModel.transaction(async (trx) => {
      const count = await AssistantModel.findOwned(workspaceId, id, trx).patch(emptied());
      // Only then is the history this workspace's.
      if (count === 0) return false;
      await AssistantVersionModel.query(trx).delete().where({ assistant_id: id });
      return true;
    });
  }

  /** Returns the current receiver of an alert; null: of the webhook. Returns undefined if there is none. */
  findReceiver(alert: string | null): Receiver | undefined {
    const { id, webhook_url: url, webhook_secret: secret, webhook_auth: auth } = this;
    if (alert === null) return url === null ? undefined : { url, secret, auth, owner: id };
    const found = this.alerts?.find(({ name }) => name === alert);
    return found && { url: found.url, secret: found.secret, auth: found.auth, owner: alertOwner(id, alert) };
  }

  /** Returns settings as a session stores them: its own, unless others are given. */
  freeze(versioned: VersionedSettings = versionedOf(this)): FrozenAssistant {
    const { id, name, type, economy } = this;
    const { channel_roles, fallback, fields, redaction, ...settings } = versioned;
    const optional = {
      ...(channel_roles && { channel_roles }),
      ...(fallback && { fallback }),
      ...(fields && { fields }),
      ...(redaction && { redaction }),
      ...(economy && { economy }),
    };
    return { id, name, type, ...settings, ...optional };
  }
}

/** An alert, with its secret encrypted for `alertOwner`. */
export interface StoredAlert {
  name: string;
  /** Absent: `session.alert`. */
  event?: AlertEvent;
  when: string[];
  url: string;
  secret: string | null;
  auth: WebhookAuth;
  format: AlertFormat;
}

/** Returns the ID that the secret of an alert is sealed for. */
export const alertOwner = (assistantId: string, name: string) => `${assistantId}/${name}`;

/** A URL that deliveries are sent to. */
export interface Receiver {
  url: string;
  /** Encrypted for `owner`; null: none. */
  secret: string | null;
  auth: WebhookAuth;
  owner: string;
}

const emptied = () => ({
  name: '',
  description: null,
  system_prompt: '',
  fields: null,
  fallback: null,
  channel_roles: null,
  vocabulary: null,
  webhook_url: null,
  webhook_secret: null,
  alerts: null,
  follow_ups: null,
  version_created_by: null,
  deleted_at: now(),
});

/** Columns with a default. */
type MadeColumns =
  | 'created_at'
  | 'updated_at'
  | 'version'
  | 'version_created_at'
  | 'version_created_by'
  | 'restored_from'
  | 'deleted_at';

export type AssistantColumns = Omit<AssistantModel, keyof Model | 'freeze' | 'findReceiver'>;
export type NewAssistant = Omit<AssistantColumns, MadeColumns> & { version_created_by?: string | null };
