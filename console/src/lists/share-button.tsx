import { useQuery } from '@tanstack/react-query';
import { Suspense, useState } from 'react';
import { getInfoOptions } from 'conversation-analysis-client/react-query';
import { Button } from '../components/button.tsx';
import { lazyPart } from '../server/load-file.ts';
import { texts } from '../texts/index.ts';
import type { Shared } from './share-dialog.tsx';

const ShareDialog = lazyPart(() => import('./share-dialog.tsx'), 'ShareDialog');

/** Nothing if the installation has no shared links. */
export function ShareButton({ shared }: { shared: Shared }) {
  const { data: info } = useQuery(getInfoOptions());
  const [isOpen, setOpen] = useState(false);
  if (!info?.shared_links) return null;
  return (
    <>
      <Button scope="sessions:write" onClick={() => setOpen(true)}>
        {texts.testing.share}
      </Button>
      <Suspense>{isOpen && <ShareDialog shared={shared} onClose={() => setOpen(false)} />}</Suspense>
    </>
  );
}
