import { Model } from 'objection';
import { now } from '../clock.ts';

/** A schema of fields that a model refused, so that the same refusal is not met by every session. */
export class SchemaRefusalModel extends Model {
  static override tableName = 'schema_refusals';
  static override idColumn = ['provider', 'model', 'schema_hash'];
  declare provider: string;
  declare model: string;
  declare schema_hash: string;
  declare refused_at: Date;

  /** Returns whether the model refused the schema within the last day: vendors change their limits. */
  static async isKnown(key: SchemaKey): Promise<boolean> {
    const found = await SchemaRefusalModel.query()
      .findOne({ ...key })
      .whereRaw("refused_at > now() - interval '1 day'");
    return found !== undefined;
  }

  static async remember(key: SchemaKey): Promise<void> {
    await SchemaRefusalModel.query()
      .insert({ ...key, refused_at: now() })
      .onConflict(['provider', 'model', 'schema_hash'])
      .merge();
  }
}

type SchemaKey = Pick<SchemaRefusalModel, 'provider' | 'model' | 'schema_hash'>;
