import { createServer } from 'node:net';
import type { AddressInfo, Server } from 'node:net';
import { expect } from 'chai';
import { choosePort, freePort } from '../../local/ports.ts';

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
});
