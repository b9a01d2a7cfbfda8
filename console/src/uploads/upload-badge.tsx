import { Link } from '@tanstack/react-router';
import { useUploads } from './upload-queue.ts';
import { texts } from '../texts/index.ts';

const words = texts.uploads;

/** Shows on every page that uploads are unfinished or failed. */
export function UploadBadge() {
  const uploads = useUploads();
  const count = (state: (typeof uploads)[number]['state']) => uploads.filter((upload) => upload.state === state).length;
  if (uploads.length === count('accepted')) return null;
  return (
    <p className="note" role="status">
      <Link to="/start" search={{ assistant: uploads.at(-1)?.assistantId }}>
        {words.title}: {words.summary(count('accepted'), uploads.length, count('failed'))}
      </Link>
    </p>
  );
}
