import { FlaskConical } from 'lucide-react';
import { ButtonLink } from '../components/button.tsx';
import { texts } from '../texts/index.ts';

/** Links to the settings of the assistant, which tests them on the reviewed conversations. Nothing without an assistant. */
export const TestOther = ({ assistantId }: { assistantId: string | undefined }) =>
  assistantId && (
    <ButtonLink scope="sessions:write" to="/assistants/$assistantId" params={{ assistantId }}>
      <FlaskConical size={14} aria-hidden />
      {texts.testing.other}
    </ButtonLink>
  );
