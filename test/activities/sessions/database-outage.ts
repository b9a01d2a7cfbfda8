/** A way to the run's database that can be closed and opened, with the models bound to it. */
import { createServer, connect } from 'node:net';
import type { AddressInfo, Socket } from 'node:net';
import { Model } from 'objection';
import { connectDatabase } from '../../../db/connect.ts';
import { testDatabase } from '../../support/database.ts';

export interface BreakableDatabase {
  /** Drops every connection and every new one, until `end`. */
  begin(): void;
  end(): void;
  /** Connections that were refused since the outage began. */
  refused(): number;
  /** Binds the models to the run's own pool again. */
  restore(): Promise<void>;
}

export async function breakableDatabase(): Promise<BreakableDatabase> {
  const { db: original, url } = testDatabase();
  const target = new URL(url);
  const sockets = new Set<Socket>();
  let isDown = false;
  let refused = 0;
  const server = createServer((client) => {
    if (isDown) {
      refused += 1;
      client.destroy();
      return;
    }
    const upstream = connect(Number(target.port), target.hostname);
    for (const [socket, other] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      sockets.add(socket);
      socket
        .on('error', () => undefined)
        .on('close', () => {
          sockets.delete(socket);
          other.destroy();
        });
      socket.pipe(other);
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const proxied = new URL(url);
  proxied.hostname = '127.0.0.1';
  proxied.port = String((server.address() as AddressInfo).port);
  const db = connectDatabase({ url: proxied.href, poolMax: 4 });
  return {
    begin() {
      isDown = true;
      refused = 0;
      for (const socket of sockets) socket.destroy();
    },
    end: () => void (isDown = false),
    refused: () => refused,
    async restore() {
      Model.knex(original);
      await db.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
