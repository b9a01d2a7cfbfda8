import { STT_PROVIDERS } from '../../contract/constants.ts';
import type { Dialect } from './dialect.ts';

/** What the file of each vendor exports. */
interface SttStandIn {
  createDialects: () => readonly Dialect[];
}

/** Returns the dialects of all speech-to-text vendors, each from the file that has its name. */
export async function loadSttDialects(): Promise<Dialect[]> {
  const load = async (name: string) => {
    const { createDialects } = (await import(`./stt/${name}.ts`)) as SttStandIn;
    return createDialects();
  };
  return (await Promise.all(STT_PROVIDERS.map(load))).flat();
}
