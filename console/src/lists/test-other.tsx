import { FlaskConical } from 'lucide-react';
import { ButtonLink } from '../components/button.tsx';
import { texts } from '../texts/index.ts';

interface TestOtherProps {
  /** Undefined: nothing is shown. */
  assistantId: string | undefined;
  /** The key of the field whose question changes. */
  question?: string;
}

/** Links to the page that tests other settings on the reviewed conversations. */
export const TestOther = ({ assistantId, question }: TestOtherProps) =>
  assistantId && (
    <ButtonLink
      size={question === undefined ? 'normal' : 'small'}
      scope="sessions:write"
      to="/batches/new"
      search={{ action: 'reanalyze', assistant_id: assistantId, review: 'sampled', question }}
      // The form of the settings is open: people test what they change.
      state={{ overrides: {} }}
    >
      <FlaskConical size={14} aria-hidden />
      {question === undefined ? texts.testing.other : texts.testing.question}
    </ButtonLink>
  );
