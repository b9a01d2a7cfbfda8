import { Model } from 'objection';
import type { FieldType } from '../../contract/values/constants.ts';
import { AssistantModel } from './assistant.ts';

/** A field of an assistant's sessions. Rows are stored with results: `FINISH`. */
export class AssistantFieldModel extends Model {
  static override tableName = 'assistant_fields';
  declare id: number;
  declare workspace_id: string;
  declare assistant_id: string;
  declare name: string;
  declare type: FieldType;

  /**
   * Returns an assistant's current fields in their order, then its former fields, newest first. Each name is returned once,
   * with its current or latest type.
   */
  static async findKnown(workspaceId: string, assistantId: string): Promise<KnownField[]> {
    const [assistant, rows] = await Promise.all([
      AssistantModel.findOwned(workspaceId, assistantId).select('fields'),
      AssistantFieldModel.query().where({ workspace_id: workspaceId, assistant_id: assistantId }).orderBy('id', 'desc'),
    ]);
    const declared = (assistant?.fields ?? []).map(({ name, title, type, options }) => ({
      ...{ name, title, type, options },
      id: rows.find((row) => row.name === name && row.type === type)?.id,
    }));
    const names = new Set<string>();
    return [...declared, ...rows].filter(({ name }) => !names.has(name) && names.add(name));
  }
}

/** A field by name. `id` is undefined before the first session with the field. */
export interface KnownField {
  id: number | undefined;
  name: string;
  /** undefined: none, or the assistant no longer has the field. */
  title?: string | undefined;
  type: FieldType;
  /** undefined: none, or the assistant no longer has the field. */
  options?: readonly string[] | undefined;
}
