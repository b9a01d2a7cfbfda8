/** Stand-ins for the language-model providers. */
import { json } from 'node:stream/consumers';
import type { LlmProviderName } from '../../contract/values/constants.ts';
import { LLM_PROVIDER_FACTS } from '../../contract/values/providers.ts';
import { analyze, readTurns } from './analyze.ts';
import { answerFields, answerRoles, readDeclaration } from './answer-fields.ts';
import type { Dialect } from './dialect.ts';
import { readLies } from './directives.ts';
import { anthropic } from './llm/anthropic.ts';
import type { LlmCall, LlmFormat } from './llm/format.ts';
import { gemini } from './llm/gemini.ts';
import { openAiChat } from './llm/openai-chat.ts';

/** No stand-in replaces the operator's own server. */
type ReplaceableName = Exclude<LlmProviderName, 'local'>;

/** The wire format of each provider. */
const FORMATS: Record<ReplaceableName, LlmFormat> = { openai: openAiChat, grok: openAiChat, anthropic, gemini };

export const llmDialects = (): Dialect[] =>
  Object.entries(FORMATS).map(([name, format]) => llmDialect(name as ReplaceableName, format));

/** Returns a dialect that responds to every prompt with an analysis. */
function llmDialect(provider: ReplaceableName, format: LlmFormat): Dialect {
  const { path, read, reply, error } = format;
  return {
    provider,
    method: 'POST',
    path: new RegExp(`^${LLM_PROVIDER_FACTS[provider].stand_in_path}${path}$`),
    async read(request, requestPath) {
      const call = read((await json(request)) as Record<string, unknown>, requestPath);
      return {
        text: `${call.system}\n${call.user}`,
        fields: { model: call.model },
        fileBytes: null,
        answer() {
          const text = JSON.stringify(answerCall(call));
          const inputTokens = estimateTokens(call.system + call.user);
          return reply(call, { text, inputTokens, outputTokens: estimateTokens(text) });
        },
      };
    },
    error,
  };
}

/** Returns the model's response: requested roles and fields, then the analysis. */
function answerCall({ system, user, schema }: LlmCall): object {
  const declaration = readDeclaration(schema, system);
  const asksRoles = schema?.properties?.['roles'] !== undefined;
  if (!declaration && !asksRoles) return analyze(user);
  const turns = readTurns(user);
  const lies = readLies({ system, user, turns });
  return {
    ...(asksRoles && { roles: answerRoles(turns, lies) }),
    ...(declaration && answerFields(declaration, turns, lies)),
    ...analyze(user),
  };
}

/** Estimates the number of tokens of a text: one per four characters, but at least two per word. */
const estimateTokens = (text: string) => Math.max(Math.ceil(text.length / 4), 2 * (text.match(/\S+/g) ?? []).length);
