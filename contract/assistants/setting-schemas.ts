/** Schemas and defaults of the settings that a row of `SETTINGS` describes completely. */
import { z } from 'zod';
import { modelId, openEnum, text } from '../values/schemas.ts';
import { SETTINGS, type NamesOf, type Setting, type SettingName, type Settings } from './settings.ts';

type Described = Exclude<Setting, { kind: 'own' }>;
export type DescribedName = Exclude<SettingName, NamesOf<{ kind: 'own' }>>;

type ValueOf<N extends DescribedName> = Settings[N] extends { options: readonly (infer Option)[] }
  ? Option
  : { text: string; number: number; boolean: boolean; model: string; choice: never }[Settings[N]['kind']];

/** The settings that always have a value. */
type Filled = NamesOf<{ isRequired: true }> | NamesOf<{ default: string | number | boolean }>;
type Stored<N extends DescribedName> = N extends Filled ? ValueOf<N> : ValueOf<N> | null;
type Given<N extends DescribedName> =
  N extends NamesOf<{ isRequired: true }> ? z.ZodType<ValueOf<N>> : z.ZodOptional<z.ZodType<ValueOf<N> | null>>;

const DESCRIBED = (Object.entries(SETTINGS) as [DescribedName, Setting][]).filter(
  (entry): entry is [DescribedName, Described] => entry[1].kind !== 'own',
);

const isFilled = (setting: Described) => setting.isRequired === true || 'default' in setting;

/** Returns an object with the properties in the order of the table. */
export const inTableOrder = <T extends object>(properties: T): T =>
  Object.fromEntries(
    Object.keys(SETTINGS).flatMap((name) => (name in properties ? [[name, properties[name as keyof T]]] : [])),
  ) as T;

/** Returns a schema for each of these settings. */
const shapeOf = (has: (setting: Described) => boolean, schemaOf: (setting: Described) => z.ZodType): object =>
  Object.fromEntries(DESCRIBED.flatMap(([name, setting]) => (has(setting) ? [[name, schemaOf(setting)]] : [])));

function valueSchema(setting: Described): z.ZodType {
  switch (setting.kind) {
    case 'text':
      return text(setting);
    case 'number':
      return (setting.isInteger ? z.int() : z.number()).min(setting.min).max(setting.max);
    case 'choice':
      return z.enum(setting.options);
    case 'boolean':
      return z.boolean();
    case 'model':
      return modelId();
  }
}

function inputSchema(setting: Described): z.ZodType {
  const { input, examples, isRequired } = setting;
  const value = examples ? valueSchema(setting).meta({ examples: [...examples] }) : valueSchema(setting);
  const optional = isRequired ? value : value.nullish();
  return input === undefined ? optional : optional.describe(input);
}

function overrideSchema(setting: Described): z.ZodType {
  if (setting.isRequired) return inputSchema(setting).optional();
  const value = valueSchema(setting);
  return (isFilled(setting) ? value : value.nullable()).optional();
}

/** Responses declare no bounds, because rows may be older than a bound. */
function outputSchema(setting: Described): z.ZodType {
  const kinds = {
    text: z.string,
    model: z.string,
    number: setting.kind === 'number' && setting.isInteger ? z.int : z.number,
    boolean: z.boolean,
    choice: () => openEnum(setting.kind === 'choice' ? setting.options : ['']),
  };
  const value: z.ZodType = kinds[setting.kind]();
  const nullable = isFilled(setting) ? value : value.nullable();
  return setting.output === undefined ? nullable : nullable.describe(setting.output);
}

/** The settings as create and PATCH accept them. */
export const inputsOfTable = () => shapeOf(() => true, inputSchema) as { [N in DescribedName]: Given<N> };

type Overridable = NamesOf<{ isOverridable: true }> & DescribedName;

/** The settings as a reanalysis accepts them. */
export const overridesOfTable = () =>
  shapeOf(({ isOverridable = false }) => isOverridable, overrideSchema) as {
    [N in Overridable]: z.ZodOptional<z.ZodType<Stored<N>>>;
  };

type Versioned = NamesOf<{ isVersioned: true }> & DescribedName;

/** The settings in responses: those that a version stores, or the others. */
export const outputsOfTable = <const K extends 'versioned' | 'unversioned'>(which: K) =>
  shapeOf(({ isVersioned = false }) => isVersioned === (which === 'versioned'), outputSchema) as {
    [N in K extends 'versioned' ? Versioned : Exclude<DescribedName, Versioned>]: z.ZodType<Stored<N>>;
  };

/** Returns the value of each of these settings: the given one, else its default, else null. */
export const withTableDefaults = (given: Partial<Record<SettingName, unknown>>) =>
  Object.fromEntries(
    DESCRIBED.map(([name, setting]) => [name, given[name] ?? ('default' in setting ? setting.default : null)]),
  ) as { [N in DescribedName]: Stored<N> };
