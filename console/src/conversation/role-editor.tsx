/** Changes the roles of the speakers of a recording, with the quotes that support them. */
import { useMutation } from '@tanstack/react-query';
import type { Session } from 'conversation-analysis-client';
import { setSessionRolesMutation } from 'conversation-analysis-client/react-query';
import { SPEAKER_ROLES } from '../../../contract/values/constants.ts';
import type { RoleEvidence, RoleMap } from '../../../contract/values/roles.ts';
import { Button } from '../components/button.tsx';
import { Choice, optionsOf } from '../components/choice.tsx';
import { reporting } from '../components/updates.ts';
import { useMay } from '../server/membership.ts';
import { texts } from '../texts/index.ts';
import { Dot, type Speaker } from './speakers.tsx';
import type { ShowQuotes } from './turns.ts';
import quotes from './quotes.module.css';
import styles from './speakers.module.css';

const words = texts.session.roles;

const CHOICES = [{ value: '' as const, label: texts.roles.unknown }, ...optionsOf(SPEAKER_ROLES, texts.roles)];

export interface SpeakerRolesProps {
  session: Session;
  speakers: readonly Speaker[];
  onShow: ShowQuotes;
}

export function RoleEditor({ session, speakers, onShow }: SpeakerRolesProps) {
  const { session_id: id, roles, completed_at } = session;
  const saving = useMutation({ ...setSessionRolesMutation(), ...reporting('getSession') });
  const save = (map: RoleMap | null) => saving.mutate({ path: { id }, body: { map } });
  const map: RoleMap = Object.fromEntries(speakers.map(({ role }) => [role, roles?.map[role] ?? null]));
  const maySet = useMay()('sessions:write');
  const isDisabled = completed_at === null || saving.isPending || !maySet;
  return (
    <>
      <ul className={styles['speakers']}>
        {speakers.map(({ role: speaker, voice }) => (
          <li key={speaker} className={`row ${styles['speaker']} ${voice}`}>
            <Dot />
            <span>{speaker}</span>
            <Choice
              label={words.roleOf(speaker)}
              value={map[speaker] ?? ''}
              options={CHOICES}
              disabled={isDisabled}
              onChoose={(role) => save({ ...map, [speaker]: role || null })}
            />
            <Evidence evidence={roles?.evidence[speaker]} onShow={onShow} />
          </li>
        ))}
      </ul>
      {canSwap(map) && (
        <Button scope="sessions:write" size="small" disabled={isDisabled} onClick={() => save(swap(map))}>
          {words.swap}
        </Button>
      )}
      {roles?.source === 'person' && (
        <Button scope="sessions:write" look="quiet" size="small" disabled={isDisabled} onClick={() => save(null)}>
          {texts.reviews.undo}
        </Button>
      )}
    </>
  );
}

function canSwap(map: RoleMap): boolean {
  const [first, second, ...others] = Object.values(map);
  return others.length === 0 && second !== undefined && first !== second;
}

function swap(map: RoleMap): RoleMap {
  const roles = Object.values(map).reverse();
  return Object.fromEntries(Object.keys(map).map((speaker, index) => [speaker, roles[index] ?? null]));
}

function Evidence({ evidence, onShow }: { evidence: RoleEvidence | undefined; onShow: ShowQuotes }) {
  if (!evidence) return null;
  if (evidence.quotes.length === 0) return <span className="note">{words.unverified}</span>;
  return evidence.quotes.map((quote) => (
    <button
      key={`${quote.turn} ${quote.quote}`}
      type="button"
      className={`note ${quotes['quote']}`}
      onClick={() => onShow([quote])}
    >
      {quote.context ?? quote.quote}
    </button>
  ));
}
