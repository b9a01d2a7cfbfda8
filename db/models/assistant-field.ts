import { Model } from 'objection';
import type { FieldType } from '../../contract/constants.ts';
import { AssistantModel } from './assistant.ts';

/** A field that sessions of an assistant were asked; triggers make the rows. */
export class AssistantFieldModel extends Model {
  static override tableName = 'assistant_fields';
  declare id: number;
  declare user_id: string;
  declare assistant_id: string;
  declare name: string;
  declare type: FieldType;

  /**
   * Returns the fields of an assistant by their names: those that it has now in their order, then those that it had, the
   * newest first. A name that had several types has its present one, or the last one that is new.
   */
  static async findKnown(userId: string, assistantId: string): Promise<KnownField[]> {
    const [assistant, rows] = await Promise.all([
      AssistantModel.findOwned(userId, assistantId).select('fields'),
      AssistantFieldModel.query().where({ user_id: userId, assistant_id: assistantId }).orderBy('id', 'desc'),
    ]);
    const declared = (assistant?.fields ?? []).map(({ name, type }) => ({
      ...{ name, type },
      id: rows.find((row) => row.name === name && row.type === type)?.id,
    }));
    const names = new Set<string>();
    return [...declared, ...rows].filter(({ name }) => !names.has(name) && names.add(name));
  }
}

/** A field by its name; without an id no session has answered it yet. */
export interface KnownField {
  id: number | undefined;
  name: string;
  type: FieldType;
}
