import { isDeepStrictEqual } from 'node:util';
import { Model } from 'objection';
import type { TransactionOrKnex } from 'objection';
import type {
  AssistantType,
  LlmProviderName,
  OutageChoice,
  SessionEvent,
  SttProviderName,
} from '../../contract/constants.ts';
import type { Fallback } from '../../contract/fallback.ts';
import type { ResultField } from '../../contract/result-fields.ts';
import type { FrozenAssistant } from '../../contract/sessions.ts';
import { versionedOf } from '../../contract/versioned-settings.ts';
import type { VersionedSettings } from '../../contract/versioned-settings.ts';
import { findPage } from '../page.ts';
import type { PageRequest } from '../page.ts';
import { AssistantVersionModel } from './assistant-version.ts';

/** One row of `assistants`. Its names are snake_case on the wire, in SQL and here, so that nothing renames them. */
export class AssistantModel extends Model {
  static override tableName = 'assistants';
  static override jsonAttributes = ['channel_roles', 'fallback', 'fields'];
  // `declare` emits no field; a plain `id!: string` would give every row undefined own keys.
  declare id: string;
  declare user_id: string;
  declare name: string;
  declare type: AssistantType;
  declare description: string | null;
  declare stt_provider: SttProviderName | null;
  declare stt_model: string | null;
  declare stt_language: string | null;
  /** Who speaks on each channel of its recordings; null: the channels tell nothing. */
  declare channel_roles: string[] | null;
  declare llm_provider: LlmProviderName;
  declare llm_model: string;
  declare system_prompt: string;
  declare temperature: number;
  /** Questions to be answered as data; null for none, never empty. */
  declare fields: ResultField[] | null;
  declare webhook_url: string | null;
  /** The secret, sealed for this row by `runtime/secrets.ts`. */
  declare webhook_secret: string | null;
  /** What answers where its own vendors are away; null: nothing. */
  declare fallback: Fallback | null;
  /** What its sessions do when their vendor is away. */
  declare on_vendor_outage: OutageChoice;
  /** The events that are posted to the webhook. */
  declare webhook_events: SessionEvent[];
  /** Days that its sessions stay after their end; null: as long as the installation's stay. */
  declare retention_days: number | null;
  declare created_at: Date;
  declare updated_at: Date;
  /** Counts the states of the settings that decide a result. */
  declare version: number;
  /** When the present version was made; null: with the assistant. */
  declare version_created_at: Date | null;
  /** The version whose settings the present one has again; null: it was changed. */
  declare restored_from: number | null;

  static insertRow(row: NewAssistant) {
    return AssistantModel.query().insert(row).returning('*');
  }

  /**
   * Finds an assistant of this user. The owner is part of the query, so that another user's id looks like a missing
   * one.
   */
  static findOwned(userId: string, id: string, trx?: TransactionOrKnex) {
    return AssistantModel.query(trx).findOne({ id, user_id: userId });
  }

  static findOwnedPage(userId: string, page: PageRequest) {
    return findPage(AssistantModel.query().where({ user_id: userId }), page);
  }

  /**
   * Changes a row to the columns that `change` returns for it, under a lock, so that nobody else changes it in between.
   * Returns undefined if there is no such row. `updated_at` moves on each time, so that no two states look the same. A
   * change of what decides a result makes a new version, and keeps the one before.
   */
  static changeOwned(
    userId: string,
    id: string,
    change: (row: AssistantModel) => Partial<AssistantFields>,
    restored_from: number | null = null,
  ): Promise<AssistantModel | undefined> {
    return AssistantModel.transaction(async (trx) => {
      const row = await AssistantModel.findOwned(userId, id, trx).forUpdate();
      if (!row) return undefined;
      const columns = change(row);
      const updated_at = new Date(Math.max(Date.now(), row.updated_at.getTime() + 1));
      if (isDeepStrictEqual(versionedOf({ ...row, ...columns }), versionedOf(row))) {
        return row.$query(trx).patchAndFetch({ ...columns, updated_at });
      }
      await AssistantVersionModel.keep(row, trx);
      const version = { version: row.version + 1, version_created_at: updated_at, restored_from };
      return row.$query(trx).patchAndFetch({ ...columns, updated_at, ...version });
    });
  }

  static async deleteOwned(userId: string, id: string): Promise<boolean> {
    return (await AssistantModel.query().delete().where({ id, user_id: userId })) === 1;
  }

  /** Returns the settings that produce a result, its own unless others are given, as a session keeps them. */
  freeze(versioned: VersionedSettings = versionedOf(this)): FrozenAssistant {
    const { id, name, type } = this;
    const { channel_roles, fallback, fields, ...settings } = versioned;
    const optional = {
      ...(channel_roles && { channel_roles }),
      ...(fallback && { fallback }),
      ...(fields && { fields }),
    };
    return { id, name, type, ...settings, ...optional };
  }
}

/** Columns that PostgreSQL fills in for a new row. */
type MadeColumns = 'created_at' | 'updated_at' | 'version' | 'version_created_at' | 'restored_from';

export type AssistantFields = Omit<AssistantModel, keyof Model | 'freeze'>;
export type NewAssistant = Omit<AssistantFields, MadeColumns>;
