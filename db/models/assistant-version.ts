import { Model } from 'objection';
import type { Pojo, TransactionOrKnex } from 'objection';
import type { Page, PageRequest } from '../page.ts';
import { versionedOf } from '../../contract/versioned-settings.ts';
import type { VersionedSettings } from '../../contract/versioned-settings.ts';

/** What an assistant's row says of its present version. */
export interface PresentVersion extends VersionedSettings {
  id: string;
  version: number;
  version_created_at: Date | null;
  restored_from: number | null;
  created_at: Date;
}

/** One row of `assistant_versions`: a version that another one followed. The present one is the assistant's own row. */
export class AssistantVersionModel extends Model {
  static override tableName = 'assistant_versions';
  static override idColumn = ['assistant_id', 'version'];
  static override jsonAttributes = ['settings'];
  declare assistant_id: string;
  declare version: number;
  declare settings: VersionedSettings;
  /** The version whose settings this one has again; null: it was changed. */
  declare restored_from: number | null;
  declare created_at: Date;

  /** Fills in the settings that were added since the row was stored. */
  override $parseDatabaseJson(json: Pojo): Pojo {
    const row = super.$parseDatabaseJson(json);
    const settings = row['settings'] as Partial<VersionedSettings> | undefined;
    return settings ? { ...row, settings: versionedOf(settings) } : row;
  }

  /** Keeps the present version of an assistant that is about to get the next one. */
  static async keep(assistant: PresentVersion, trx: TransactionOrKnex): Promise<void> {
    await AssistantVersionModel.query(trx).insert(AssistantVersionModel.presentOf(assistant));
  }

  /** Returns the present version of an assistant. */
  static presentOf(assistant: PresentVersion): AssistantVersionFields {
    const { id: assistant_id, version, version_created_at, created_at, restored_from } = assistant;
    const settings = versionedOf(assistant);
    return { assistant_id, version, settings, restored_from, created_at: version_created_at ?? created_at };
  }

  /** Returns one version of an assistant; undefined if there is none of this number. */
  static async findOf(assistant: PresentVersion, version: number): Promise<AssistantVersionFields | undefined> {
    if (version === assistant.version) return AssistantVersionModel.presentOf(assistant);
    return AssistantVersionModel.query().findById([assistant.id, version]);
  }

  /** Returns a page of the versions of an assistant, the newest first. Its cursor is a version's number. */
  static async findPage(
    assistant: PresentVersion,
    { limit, cursor }: PageRequest,
  ): Promise<Page<AssistantVersionFields>> {
    const before = cursor === undefined ? Infinity : Number(cursor);
    const present = assistant.version < before ? [AssistantVersionModel.presentOf(assistant)] : [];
    const earlier = await AssistantVersionModel.query()
      .where({ assistant_id: assistant.id })
      .where('version', '<', Math.min(before, assistant.version))
      .orderBy('version', 'desc')
      .limit(limit + 1 - present.length);
    const rows = [...present, ...earlier];
    const last = rows.length > limit ? rows[limit - 1] : undefined;
    return { rows: rows.slice(0, limit), next_cursor: last ? String(last.version) : null };
  }
}

export type AssistantVersionFields = Omit<AssistantVersionModel, keyof Model>;
