import { Link } from '@tanstack/react-router';
import { texts } from '../texts/index.ts';
import { useUploads } from './upload-queue.ts';

/** Shows on every page that uploads are unfinished. */
export function UploadBadge() {
  const uploads = useUploads();
  const count = (state: (typeof uploads)[number]['state']) => uploads.filter((upload) => upload.state === state).length;
  if (count('waiting') + count('sending') === 0) return null;
  return (
    <Link to="/start" search={{ assistant: uploads.at(-1)?.assistantId }} className="note" role="status">
      {texts.uploads.title}: {texts.uploads.summary(count('accepted'), uploads.length, count('failed'))}
    </Link>
  );
}
