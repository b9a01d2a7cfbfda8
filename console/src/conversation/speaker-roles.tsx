/** The speakers of a recording in one line, and who set their roles. A click opens what changes them. */
import { Pencil } from 'lucide-react';
import { Suspense, useState } from 'react';
import { Button } from '../components/button.tsx';
import { lazyPart } from '../server/load-file.ts';
import { texts } from '../texts/index.ts';
import type { SpeakerRolesProps } from './role-editor.tsx';
import { TalkShares } from './speakers.tsx';
import styles from './speakers.module.css';

const RoleEditor = lazyPart(() => import('./role-editor.tsx'), 'RoleEditor');
const words = texts.session.roles;

export function SpeakerRoles(props: SpeakerRolesProps) {
  const [isOpen, setOpen] = useState(false);
  const { roles } = props.session;
  return (
    <section className={`row ${styles['roles']}`} aria-label={words.title}>
      <TalkShares speakers={props.speakers} />
      <Button
        look="quiet"
        size="small"
        isIcon
        label={`${words.change} (${roles ? words.sources[roles.source] : words.nobody})`}
        aria-expanded={isOpen}
        onClick={() => setOpen(!isOpen)}
      >
        <Pencil size={14} aria-hidden />
      </Button>
      <Suspense>{isOpen && <RoleEditor {...props} />}</Suspense>
    </section>
  );
}
