/** The notes of people about turns, below their turns. */
import { LIMITS } from '../../../contract/values/limits.ts';
import { MessageSquarePlus } from 'lucide-react';
import { useEffect, useState, type ReactNode, type RefObject } from 'react';
import { createPortal } from 'react-dom';
import type { Review } from 'conversation-analysis-client';
import { Button } from '../components/button.tsx';
import { TextForm } from '../fields/answer-form.tsx';
import { texts } from '../texts/index.ts';
import { indexOfTurn, turnAt } from './turns.ts';
import styles from './transcript.module.css';

const words = texts.reviews;
const deletion = texts.session.actions.delete;

type List = Review['turn_notes'];

const POINTING = ['mouseover', 'click', 'focusin'] as const;

export interface Notes {
  list: List;
  isRedacted: boolean;
  isSaving?: boolean;
  /** Receives a change, and calls `done` when it is stored. Undefined: the user can't change the notes. */
  onChange: ((change: (list: List) => List, done: () => void) => void) | undefined;
}

/** @param turns the list of all turns in the document. Notes are added to it, because rendering all turns again is slow. */
export function TurnNotes({ turns, notes }: { turns: RefObject<HTMLElement | null>; notes: Notes }) {
  const { list, isRedacted, isSaving = false, onChange } = notes;
  /** Set when the page is in the document. */
  const [mounted, setMounted] = useState<Element | null>(null);
  /** The turn that was last pointed at, clicked or focused. It has the button. */
  const [pointed, setPointed] = useState<number>();
  /** The turn that gets a note. */
  const [turn, setTurn] = useState<number>();
  useEffect(() => {
    const element = turns.current;
    const point = ({ target }: Event) => {
      // The keyboard reaches the turn that was found, or the first one.
      const find = (mark: string) => element?.querySelector(mark);
      const at =
        target === element ? (find('[data-found]') ?? find('[data-active]') ?? find('[role=listitem]')) : target;
      if (at instanceof Element) setPointed(indexOfTurn(at));
    };
    for (const event of POINTING) element?.addEventListener(event, point);
    return () => {
      for (const event of POINTING) element?.removeEventListener(event, point);
    };
  }, [turns, mounted]);
  const close = () => {
    setTurn(undefined);
    turns.current?.focus({ preventScroll: true });
  };
  const within = (index: number, key: string, content: ReactNode) => {
    const element = mounted && turns.current && turnAt(turns.current, index);
    return element && createPortal(content, element, key);
  };
  const below = (index: number, key: string, content: ReactNode) =>
    within(index, key, <div className={styles['note']}>{content}</div>);
  return (
    <>
      <span ref={setMounted} />
      {onChange &&
        pointed !== undefined &&
        turn === undefined &&
        within(
          pointed,
          'add',
          <span className={styles['add']}>
            <Button size="small" isIcon label={words.addNote} disabled={isSaving} onClick={() => setTurn(pointed)}>
              <MessageSquarePlus size={14} aria-hidden />
            </Button>
          </span>,
        )}
      {list.map((note, at) =>
        below(
          note.turn,
          `${at}`,
          <p dir="auto">
            {note.text}{' '}
            {onChange && (
              <Button
                look="quiet"
                size="small"
                label={words.onField(deletion, note.text)}
                disabled={isSaving}
                onClick={() =>
                  onChange((all) => all.filter((each) => each.turn !== note.turn || each.text !== note.text), close)
                }
              >
                {deletion}
              </Button>
            )}
          </p>,
        ),
      )}
      {onChange &&
        turn !== undefined &&
        below(
          turn,
          'new',
          <TextForm
            label={words.note}
            value=""
            maxLength={LIMITS.turnNote}
            {...{ isRedacted, isSaving, error: null }}
            onSave={(text) => onChange((all) => [...all, { turn, text }], close)}
            onClose={close}
          />,
        )}
    </>
  );
}
