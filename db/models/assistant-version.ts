import { Model, type Pojo, type TransactionOrKnex } from 'objection';
import { toPage, type Page } from '../page.ts';
import { versionedOf, type VersionedSettings } from '../../contract/assistants/versioned-settings.ts';

/** The current version in an assistant's row. */
interface PresentVersion extends VersionedSettings {
  id: string;
  version: number;
  version_created_at: Date | null;
  version_created_by: string | null;
  restored_from: number | null;
  created_at: Date;
}

/** One row of `assistant_versions`: a former version. The current version is in the assistant's row. */
export class AssistantVersionModel extends Model {
  static override tableName = 'assistant_versions';
  static override idColumn = ['assistant_id', 'version'];
  static override jsonAttributes = ['settings'];
  declare assistant_id: string;
  declare version: number;
  declare settings: VersionedSettings;
  /** The version whose settings were restored; null: settings were changed. */
  declare restored_from: number | null;
  declare created_at: Date;
  /** The token or the user; null: unknown. */
  declare created_by: string | null;

  /** Adds the settings that did not exist when the row was stored. */
  override $parseDatabaseJson(json: Pojo): Pojo {
    const row = super.$parseDatabaseJson(json);
    const settings = row['settings'] as Partial<VersionedSettings> | undefined;
    return settings ? { ...row, settings: versionedOf(settings) } : row;
  }

  /** Stores the current version before the assistant gets a new one. */
  static async keep(assistant: PresentVersion, trx: TransactionOrKnex): Promise<void> {
    await AssistantVersionModel.query(trx).insert(AssistantVersionModel.currentOf(assistant));
  }

  static currentOf(assistant: PresentVersion): AssistantVersionColumns {
    const { id: assistant_id, version, version_created_at, version_created_by, restored_from } = assistant;
    const created_at = version_created_at ?? assistant.created_at;
    const settings = versionedOf(assistant);
    return { assistant_id, version, settings, restored_from, created_at, created_by: version_created_by };
  }

  static async findOf(assistant: PresentVersion, version: number): Promise<AssistantVersionColumns | undefined> {
    if (version === assistant.version) return AssistantVersionModel.currentOf(assistant);
    return AssistantVersionModel.query().findById([assistant.id, version]);
  }

  /** Returns a page of an assistant's versions, newest first. The cursor is a version number. */
  static async findPage(
    assistant: PresentVersion,
    { limit, cursor: before = Infinity }: { limit: number; cursor: number | undefined },
  ): Promise<Page<AssistantVersionColumns>> {
    const present = assistant.version < before ? [AssistantVersionModel.currentOf(assistant)] : [];
    const earlier = await AssistantVersionModel.query()
      .where({ assistant_id: assistant.id })
      .where('version', '<', Math.min(before, assistant.version))
      .orderBy('version', 'desc')
      .limit(limit + 1 - present.length);
    return toPage<AssistantVersionColumns>([...present, ...earlier], limit, ({ version }) => String(version));
  }
}

export type AssistantVersionColumns = Omit<AssistantVersionModel, keyof Model>;
