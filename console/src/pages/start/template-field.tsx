import { SelectField } from '../../components/field.tsx';
import { templates } from './samples.ts';
import { words } from './words.ts';

interface TemplateFieldProps {
  /** The name of the template. Empty: none. */
  chosen: string;
  onChoose: (chosen: string) => void;
}

/** Chooses what a new assistant starts with. Outside of its form, which starts again with each choice. */
export const TemplateField = ({ chosen, onChoose }: TemplateFieldProps) => (
  <SelectField
    name="template"
    label={words.assistant.template}
    value={chosen}
    options={[...templates.map(({ name }) => ({ value: name, label: name })), { value: '', label: words.noTemplate }]}
    onChange={({ target }) => onChoose(target.value)}
  />
);
