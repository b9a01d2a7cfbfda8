import { fileURLToPath } from 'node:url';
import { findModelServer } from '../../local/find-model-server.ts';
import { freePort } from '../support/free-port.ts';
import { runCommand } from '../support/run-command.ts';
import { startReceiver } from '../support/receiver.ts';
import { stopAfterTest } from '../support/stop-after-test.ts';

const TRY_PROVIDERS = fileURLToPath(new URL('../../local/try-providers.ts', import.meta.url));

describe('A model server on this machine', () => {
  const serve = async (body: string) => {
    const server = await stopAfterTest(startReceiver((response) => void response.end(body)));
    return { server, port: Number(new URL(server.url).port) };
  };
  const models = JSON.stringify({ object: 'list', data: [{ id: 'text-embed' }, { id: 'qwen3:8b' }, { id: 'mine' }] });
  const find = async (env: Record<string, string>, ...ports: number[]) => {
    const said: string[] = [];
    const servers = ports.map((port) => ({ title: 'Ollama', port }));
    return { found: await findModelServer(env, (line) => said.push(line), servers, 5_000), said };
  };

  it('is found with one request, and named', async () => {
    const { server, port } = await serve(models);
    const { found, said } = await find({}, await freePort(), port);
    expect(found).to.deep.equal({
      LOCAL_LLM_BASE_URL: `http://127.0.0.1:${port}/v1`,
      LOCAL_LLM_MODELS: 'qwen3:8b,mine',
    });
    expect(said).to.have.length(1);
    expect(said[0]).to.contain('Ollama').and.contain('qwen3:8b');
    expect(server.requests.map(({ path }) => path)).to.deep.equal(['/v1/models']);
  });

  it('is not searched for if a server is set, if that is turned off, or in production', async () => {
    const { server, port } = await serve(models);
    for (const env of [{ LOCAL_LLM_BASE_URL: '' }, { FIND_MODEL_SERVER: 'false' }, { NODE_ENV: 'production' }])
      expect((await find(env, port)).found).to.deep.equal({});
    expect(server.requests).to.deep.equal([]);
  });

  it('is not any other program that listens there, nor one that does not answer', async () => {
    for (const body of ['<html></html>', '{}', '{"data":[]}', '{"data":[{"id":"a b"}]}'])
      expect((await find({}, (await serve(body)).port)).found, body).to.deep.equal({});
    const silent = await stopAfterTest(startReceiver(() => undefined));
    const started = performance.now();
    const servers = [{ title: 'Ollama', port: Number(new URL(silent.url).port) }];
    expect(await findModelServer({}, () => undefined, servers)).to.deep.equal({});
    expect(performance.now() - started).to.be.below(5_000);
  });
});

describe('npm run try:providers', () => {
  it('ends with code 1 if every call failed', async () => {
    const env = { LOCAL_LLM_BASE_URL: `http://127.0.0.1:${await freePort()}`, LOCAL_LLM_MODELS: 'mine' };
    const { output, code } = await runCommand(process.execPath, [TRY_PROVIDERS], env);
    expect([output.includes('mine'), code]).to.deep.equal([true, 1]);
  });
});
