/** Finds a model server on this machine, so that a first visitor sees real results without a key. */
import { z } from 'zod';
import type { Environment } from '../runtime/settings/environment.ts';
import type { Say } from './fetch-once.ts';

/** The usual ports. */
const SERVERS = [
  { title: 'Ollama', port: 11_434 },
  { title: 'LM Studio', port: 1_234 },
  { title: 'llama-server', port: 8_080 },
];

const SEARCH_MS = 300;

const ModelsSchema = z.object({ data: z.array(z.object({ id: z.string().regex(/^[\w.:/@+-]{1,200}$/) })) });

/**
 * Returns settings for the first server that answers, or none. Makes one request to each loopback address, unless
 * LOCAL_LLM_BASE_URL is set, FIND_MODEL_SERVER is `false`, or this is production.
 */
export async function findModelServer(
  env: Environment,
  say: Say,
  servers = SERVERS,
  searchMs = SEARCH_MS,
): Promise<Environment> {
  const isOff = env['FIND_MODEL_SERVER'] === 'false' || env['NODE_ENV'] === 'production';
  if (isOff || env['LOCAL_LLM_BASE_URL'] !== undefined) return {};
  const found = await Promise.all(
    servers.map(async ({ title, port }) => ({ title, ...(await askFor(port, searchMs)) })),
  );
  const server = found.find(({ models = [] }) => models.length > 0);
  if (server?.url === undefined) return {};
  const [first] = server.models ?? [];
  say(`Models: ${server.title} runs on this machine. New assistants can use it: provider "local", model "${first}".`);
  return { LOCAL_LLM_BASE_URL: server.url, LOCAL_LLM_MODELS: env['LOCAL_LLM_MODELS'] || server.models?.join(',') };
}

async function askFor(port: number, searchMs: number): Promise<{ url?: string; models?: string[] }> {
  const url = `http://127.0.0.1:${port}/v1`;
  try {
    const response = await fetch(`${url}/models`, { signal: AbortSignal.timeout(searchMs), redirect: 'error' });
    const { data } = ModelsSchema.parse(await response.json());
    // Models for embeddings write no text.
    return { url, models: data.map(({ id }) => id).filter((id) => !/embed/i.test(id)) };
  } catch {
    return {};
  }
}
