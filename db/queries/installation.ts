import { WorkerModel } from '../models/worker.ts';
import { countUnfinishedSessions } from './count-unfinished-sessions.ts';

/** What the metrics tell of the whole installation. */
export const installationSources = {
  findUnfinished: countUnfinishedSessions,
  countWorkers: () => WorkerModel.count(),
};
