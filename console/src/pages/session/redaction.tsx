import { getSession, type Session } from 'conversation-analysis-client';
import type { RedactionKind } from '../../../../contract/values/redaction-kinds.ts';
import { ConfirmButton } from '../../components/confirm-button.tsx';
import { formatNumber } from '../../format/numbers.ts';
import { texts } from '../../texts/index.ts';

const words = texts.session;

/** Returns "card numbers" for "Card numbers", but "IBANs" for "IBANs". */
const toLowerStart = (text: string) => text.replace(/^\p{Lu}(?!\p{Lu})/u, (letter) => letter.toLowerCase());

interface RedactionProps {
  session: Session;
  /** Receives the session with its original values. */
  onReveal: (session: Session) => void;
}

/** What was replaced in the conversation, and a button that shows the original values. */
export function Redaction({ session: { session_id: id, redaction }, onReveal }: RedactionProps) {
  if (!redaction) return null;
  const values = Object.entries(redaction.counts).map(
    ([kind, count]) => `${toLowerStart(texts.redactionKinds[kind as RedactionKind])} (${formatNumber(count)})`,
  );
  const reveal = async () =>
    onReveal((await getSession({ path: { id }, query: { reveal: 'true' }, throwOnError: true })).data);
  return (
    <>
      <span>{words.redacted(values.join(', ') || formatNumber(0))}</span>
      {redaction.originals === 'sealed' && (
        <ConfirmButton scope="sessions:reveal" size="small" {...words.reveal} run={reveal} />
      )}
    </>
  );
}
