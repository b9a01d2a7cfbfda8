import { X } from 'lucide-react';
import { Button } from '../components/button.tsx';
import { texts } from '../texts/index.ts';
import styles from './condition-chips.module.css';
import { describeCondition } from './conditions.ts';
import { useFieldTitles } from './field-title.tsx';

interface ConditionChipsProps {
  /** The assistant whose fields the conditions name. */
  assistantId: string | undefined;
  conditions: readonly string[] | undefined;
  version: number | undefined;
  onChange: (conditions: string[] | undefined) => void;
  onVersion: (version: undefined) => void;
}

/** The conditions of a list, each with a button that removes it. */
export function ConditionChips({ assistantId, conditions = [], version, onChange, onVersion }: ConditionChipsProps) {
  const titleOf = useFieldTitles(conditions.length > 0 ? assistantId : undefined);
  const remove = (removed: string) => {
    const left = conditions.filter((each) => each !== removed);
    onChange(left.length === 0 ? undefined : left);
  };
  if (conditions.length === 0 && version === undefined) return null;
  return (
    <ul className="row" aria-label={texts.fields.conditions}>
      {version !== undefined && <Chip text={texts.versions.of(version)} onRemove={() => onVersion(undefined)} />}
      {conditions.map((each) => (
        <Chip key={each} text={describeCondition(each, titleOf)} onRemove={() => remove(each)} />
      ))}
    </ul>
  );
}

/** A condition in words, with a button that removes it. */
export const Chip = ({ text, onRemove }: { text: string; onRemove: () => void }) => (
  <li className={styles['chip']}>
    <bdi>{text}</bdi>
    <Button look="quiet" size="small" isIcon label={texts.fields.remove(text)} onClick={onRemove}>
      <X size={13} aria-hidden />
    </Button>
  </li>
);
