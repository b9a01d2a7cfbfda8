/** Inputs for the settings that a row of the contract's table describes completely. */
import type { Assistant } from 'conversation-analysis-client';
import type { DescribedName } from '../../../contract/assistants/setting-schemas.ts';
import { SETTINGS, type NamesOf, type Setting } from '../../../contract/assistants/settings.ts';
import { SelectField, TextAreaField, TextField } from '../components/field.tsx';
import { texts } from '../texts/index.ts';

type Name = Exclude<DescribedName, NamesOf<{ kind: 'boolean' | 'model' }>>;

interface SettingFieldProps {
  name: Name;
  /** The current settings; undefined: a new assistant. */
  settings: Partial<Assistant> | undefined;
}

/** Texts of more characters than this have several lines. */
const ONE_LINE = 200;

export function SettingField({ name, settings }: SettingFieldProps) {
  const setting: Setting = SETTINGS[name];
  const { hints, values, byDefault } = texts.settingTexts;
  const initial = 'default' in setting ? setting.default : '';
  const field = {
    name,
    label: texts.settingTitles[name],
    hint: hints[name],
    defaultValue: String(settings?.[name] ?? initial),
  };
  if (setting.kind === 'number') {
    const { min, max, isInteger } = setting;
    const isRequired = 'default' in setting;
    const limits = { min, max, step: isInteger ? 1 : (max - min) / 20 };
    return <TextField {...field} {...limits} type="number" required={isRequired} isOptional={!isRequired} />;
  }
  if (setting.kind === 'choice') {
    const labels = values[name] ?? {};
    const options = setting.options.map((value) => ({ value, label: labels[value] ?? value }));
    const unset = { value: '', label: byDefault };
    return <SelectField {...field} options={'default' in setting ? options : [unset, ...options]} />;
  }
  const { max, isRequired = false } = setting;
  const Field = max > ONE_LINE ? TextAreaField : TextField;
  return <Field {...field} maxLength={max} required={isRequired} isOptional={!isRequired} />;
}

/** The inputs of several settings, in the order of the table. @param of whether a setting has an input. */
export const SettingFields = ({
  of,
  ...shared
}: Omit<SettingFieldProps, 'name'> & { of: (setting: Setting) => boolean }) =>
  Object.entries(SETTINGS).map(
    ([name, setting]) => of(setting) && <SettingField key={name} name={name as Name} {...shared} />,
  );
