import { createServer, type AddressInfo, type Server } from 'node:net';
import { choosePort, freePort, requireFreePort } from '../../local/ports.ts';
import { startLocal } from '../../local/start.ts';
import { StartError } from '../../runtime/process/process.ts';
import { ConfigError } from '../../runtime/settings/config.ts';
import { serveMetrics } from '../../runtime/telemetry/metrics-server.ts';
import { errorOf } from '../support/error-of.ts';
import { newFolder } from '../support/new-folder.ts';

const listen = (port: number): Promise<Server> =>
  new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject).listen(port, '127.0.0.1', () => resolve(server));
  });

const close = (server: Server) => new Promise((resolve) => server.close(resolve));

describe('the ports of a local start', () => {
  it('are the default ports if they are free', async () => {
    const usual = await freePort();
    expect(await choosePort(usual)).to.equal(usual);
  });

  it('are other free ports if the default ports are taken', async () => {
    const holder = await listen(0);
    const usual = (holder.address() as AddressInfo).port;
    const chosen = await choosePort(usual);
    expect(chosen).to.be.above(0).and.not.equal(usual);
    await close(await listen(chosen));
    await close(holder);
  });

  it('are checked first: if the one of the API is taken, one sentence says so and no server starts', async () => {
    const holder = await listen(0);
    const { port } = holder.address() as AddressInfo;
    const said: string[] = [];
    const env = { HOST: '127.0.0.1', PORT: String(port), DATA_DIR: newFolder() };
    const error = await startLocal(env, (line) => said.push(line)).catch((refusal: unknown) => refusal);
    expect(error).to.be.instanceOf(StartError);
    expect(String(error)).to.contain(`Port ${port} `).and.to.contain('Set PORT').and.not.to.contain('\n');
    expect(said).to.deep.equal([]);
    await close(holder);
  });

  it('and addresses that cannot be used are named by their setting: HOST, or PORT and HOST of the metrics', async () => {
    const holder = await listen(0);
    const { port } = holder.address() as AddressInfo;
    const sources = { countStuck: undefined } as unknown as Parameters<typeof serveMetrics>[1];
    for (const [start, message] of [
      [() => requireFreePort({ host: '192.0.2.1', port: 0 }), /^HOST can't be used: .*EADDRNOTAVAIL/],
      [() => serveMetrics({ host: '127.0.0.1', port }, sources, ''), /Set METRICS_PORT to another port/],
      [() => serveMetrics({ host: '192.0.2.1', port: 0 }, sources, ''), /^METRICS_HOST can't be used: /],
    ] as const) {
      expect(await errorOf(start()))
        .to.be.instanceOf(StartError)
        .with.property('message')
        .that.matches(message);
    }
    await close(holder);
  });

  it('are not taken if a setting is wrong, which one sentence names', async () => {
    const env = { PORT: '0', DATA_DIR: newFolder(), LOG_LEVEL: 'verbose' };
    const error = await startLocal(env, () => undefined).catch((refusal: unknown) => refusal);
    expect(error).to.be.instanceOf(ConfigError);
    expect(String(error)).to.contain('LOG_LEVEL must be');
  });
});
