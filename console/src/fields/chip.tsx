import { X } from 'lucide-react';
import { Button } from '../components/button.tsx';
import { texts } from '../texts/index.ts';
import styles from './chip.module.css';

/** A condition in words, with a button that removes it. */
export const Chip = ({ text, onRemove }: { text: string; onRemove: () => void }) => (
  <li className={styles['chip']}>
    <bdi>{text}</bdi>
    <Button look="quiet" size="small" isIcon label={texts.fields.remove(text)} onClick={onRemove}>
      <X size={13} aria-hidden />
    </Button>
  </li>
);
