import { useNavigate } from '@tanstack/react-router';
import type { Session } from 'conversation-analysis-client';

/** Returns a function that shows a submitted session below the form. */
export function useShowSession(assistant: string) {
  const navigate = useNavigate();
  return ({ session_id: session }: Session) =>
    navigate({ to: '/start', search: { assistant, session }, resetScroll: false });
}
