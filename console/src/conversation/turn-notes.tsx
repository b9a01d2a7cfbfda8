/** The notes of people about turns, below their turns. */
import { LIMITS } from '../../../contract/values/limits.ts';
import { useState, type ReactNode, type RefObject } from 'react';
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

export interface Notes {
  list: List;
  isRedacted: boolean;
  isSaving?: boolean;
  /** Receives a change, and calls `done` when it is stored. Undefined: the user can't change the notes. */
  onChange: ((change: (list: List) => List, done: () => void) => void) | undefined;
}

const isPlaying = () => document.querySelector('audio')?.paused === false;

/** @param turns the list of all turns in the document. Notes are added to it, because rendering all turns again is slow. */
export function TurnNotes({ turns, notes }: { turns: RefObject<HTMLElement | null>; notes: Notes }) {
  const { list, isRedacted, isSaving = false, onChange } = notes;
  /** Set when the page is in the document. */
  const [mounted, setMounted] = useState<Element | null>(null);
  /** The turn that gets a note; null: none is selected. */
  const [turn, setTurn] = useState<number | null>();
  // The turn that is spoken, while the recording plays.
  const select = () => {
    const indexes = ['[data-active]', '[data-found]'].map((mark) =>
      indexOfTurn(turns.current?.querySelector(mark) ?? null),
    );
    const [active, found] = indexes;
    setTurn((isPlaying() ? active : undefined) ?? found ?? active ?? null);
  };
  const close = () => {
    setTurn(undefined);
    turns.current?.focus({ preventScroll: true });
  };
  const below = (index: number, key: string, content: ReactNode) => {
    const element = mounted && turns.current && turnAt(turns.current, index);
    return element && createPortal(<div className={styles['note']}>{content}</div>, element, key);
  };
  return (
    <>
      {onChange && (
        <Button look="quiet" size="small" disabled={isSaving} onClick={select}>
          {words.addNote}
        </Button>
      )}
      <span ref={setMounted} className="note" role="status">
        {turn === null && words.selectTurn}
      </span>
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
        turn != null &&
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
