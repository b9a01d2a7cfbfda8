/** Who is who in a recording, from which words that follows, and how a person puts it right. */
import { useMutation } from '@tanstack/react-query';
import { setSessionRolesMutation } from '../../../../clients/typescript/src/@tanstack/react-query.gen.ts';
import type { Session } from '../../../../clients/typescript/src/index.ts';
import { SPEAKER_ROLES } from '../../../../contract/constants.ts';
import type { SpeakerRole } from '../../../../contract/constants.ts';
import type { Quote } from '../../../../contract/result-fields.ts';
import type { RoleEvidence, RoleMap } from '../../../../contract/roles.ts';
import { Button } from '../../components/button.tsx';
import { Choice } from '../../components/choice.tsx';
import { sayFailure } from '../../components/toasts.tsx';
import { refresh } from '../../server/queries.ts';
import { texts } from '../../texts/index.ts';
import type { Speaker } from './speakers.ts';
import { voiceOf } from './voices.ts';
import styles from './speaker-roles.module.css';

const words = texts.session.roles;

/** Stands for no role in a list of choices. */
const NOBODY = '';

const CHOICES = [
  { value: NOBODY, label: words.names.unknown },
  ...SPEAKER_ROLES.map((role) => ({ value: role, label: words.names[role] })),
];

interface SpeakerRolesProps {
  session: Session;
  speakers: readonly Speaker[];
  /** Shows where these words were said. */
  onShow: (quotes: readonly Quote[]) => void;
}

export function SpeakerRoles({ session, speakers, onShow }: SpeakerRolesProps) {
  const { session_id: id, roles, completed_at } = session;
  const saving = useMutation({
    ...setSessionRolesMutation(),
    onError: sayFailure,
    onSettled: () => refresh('getSession'),
  });
  const save = (map: RoleMap | null) => saving.mutate({ path: { id }, body: { map } });
  const map: RoleMap = Object.fromEntries(speakers.map(({ role }) => [role, roles?.map[role] ?? null]));
  const isFixed = completed_at === null || saving.isPending;
  return (
    <section className={styles['roles']} aria-label={words.title}>
      <ul className={styles['speakers']}>
        {speakers.map(({ role: speaker, index }) => (
          <li key={speaker} className={`${styles['speaker']} ${voiceOf(index)}`}>
            <span className={styles['dot']} aria-hidden />
            <span className={styles['name']}>{speaker}</span>
            <Choice
              label={words.roleOf(speaker)}
              value={map[speaker] ?? NOBODY}
              options={CHOICES}
              disabled={isFixed}
              onChange={({ target: { value } }) =>
                save({ ...map, [speaker]: value === NOBODY ? null : (value as SpeakerRole) })
              }
            />
            <Evidence evidence={roles?.evidence[speaker]} onShow={onShow} />
          </li>
        ))}
      </ul>
      <div className={styles['source']}>
        <span>{roles ? words.sources[roles.source] : words.nobody}</span>
        {canSwap(map) && (
          <Button size="small" disabled={isFixed} onClick={() => save(swap(map))}>
            {words.swap}
          </Button>
        )}
        {roles?.source === 'person' && (
          <Button look="quiet" size="small" disabled={isFixed} onClick={() => save(null)}>
            {words.takeBack}
          </Button>
        )}
      </div>
    </section>
  );
}

function canSwap(map: RoleMap): boolean {
  const [one, other, ...others] = Object.values(map);
  return others.length === 0 && other !== undefined && one !== other;
}

function swap(map: RoleMap): RoleMap {
  const roles = Object.values(map).reverse();
  return Object.fromEntries(Object.keys(map).map((speaker, index) => [speaker, roles[index] ?? null]));
}

/** The speaker's own words, which are shown where they were said. */
function Evidence({ evidence, onShow }: { evidence: RoleEvidence | undefined } & Pick<SpeakerRolesProps, 'onShow'>) {
  if (!evidence) return null;
  if (evidence.quotes.length === 0) return <span className={styles['unverified']}>{words.unverified}</span>;
  return evidence.quotes.map((quote) => (
    <button
      key={`${quote.turn} ${quote.quote}`}
      type="button"
      className={styles['quote']}
      title={texts.session.fields.show}
      onClick={() => onShow([quote])}
    >
      {quote.quote}
    </button>
  ));
}
