import { getRouteApi, useCanGoBack, useNavigate, useRouter } from '@tanstack/react-router';
import { ChevronDown, ChevronUp } from 'lucide-react';
import { ParentLink } from '../../components/page-header.tsx';
import { Button } from '../../components/button.tsx';
import { useKeys } from '../../components/use-keys.ts';
import { texts } from '../../texts/index.ts';
import { findNeighbors, visit } from '../../lists/neighbors.ts';

const route = getRouteApi('/inside/sessions/$sessionId');
const words = texts.session;

/** The way back to the list, as it was. */
export function ToList({ sessionId }: { sessionId: string }) {
  const { history } = useRouter();
  const canGoBack = useCanGoBack();
  return (
    <ParentLink
      to="/sessions"
      onClick={(event) => {
        if (findNeighbors(sessionId)?.address === undefined || !canGoBack || event.metaKey || event.ctrlKey) return;
        event.preventDefault();
        history.back();
      }}
    >
      {texts.shell.sessions}
    </ParentLink>
  );
}

/** The way to the next and the previous session of the list. */
export function Neighbors({ sessionId }: { sessionId: string }) {
  const { tab } = route.useSearch();
  const navigate = useNavigate();
  const neighbors = findNeighbors(sessionId);
  const { previous, next } = neighbors ?? {};
  const open = (id: string | undefined) => {
    if (id === undefined) return;
    visit(id);
    void navigate({ to: '/sessions/$sessionId', params: { sessionId: id }, search: { tab }, replace: true });
  };
  useKeys((key) => {
    if (!neighbors || (key !== 'j' && key !== 'k')) return false;
    open(key === 'j' ? next : previous);
    return true;
  });
  if (!neighbors) return null;
  const button = { size: 'small', isIcon: true } as const;
  return (
    <span className="row note">
      <Button {...button} label={words.previous} disabled={previous === undefined} onClick={() => open(previous)}>
        <ChevronUp size={14} aria-hidden />
      </Button>
      <Button {...button} label={words.next} disabled={next === undefined} onClick={() => open(next)}>
        <ChevronDown size={14} aria-hidden />
      </Button>
      {texts.session.transcript.found(neighbors.place, neighbors.of)}
    </span>
  );
}
