/** A DNS server on loopback (UDP) whose responses a test defines. */
import { createSocket } from 'node:dgram';
import { once } from 'node:events';

export interface DnsServer {
  /** `address:port`, for `DNS_SERVERS`. */
  address: string;
  /** The requested name of each question. */
  asked: string[];
  stop(): Promise<void>;
}

/** @param answer returns the IPv4 addresses of a name; undefined for no response, an empty array if the name does not exist. */
export async function startDnsServer(answer: (name: string) => string[] | undefined): Promise<DnsServer> {
  const socket = createSocket('udp4');
  const asked: string[] = [];
  socket.on('message', (query, { port, address }) => {
    const { name, type, end } = readQuestion(query);
    asked.push(name);
    const addresses = answer(name);
    if (addresses)
      socket.send(encodeAnswer(query, end, type === A ? addresses : [], addresses.length > 0), port, address);
  });
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  return {
    address: `127.0.0.1:${socket.address().port}`,
    asked,
    stop: () => new Promise((resolve) => socket.close(() => resolve())),
  };
}

/** A message is a header of 12 bytes, then the name in labels, its type and its class: RFC 1035, section 4. */
const HEADER_BYTES = 12;
const A = 1;
const TTL_S = 0;

function readQuestion(query: Buffer): { name: string; type: number; end: number } {
  const labels: string[] = [];
  let at = HEADER_BYTES;
  for (let length = query[at] ?? 0; length > 0; length = query[at] ?? 0) {
    labels.push(query.toString('latin1', at + 1, at + 1 + length));
    at += 1 + length;
  }
  return { name: labels.join('.').toLowerCase(), type: query.readUInt16BE(at + 1), end: at + 5 };
}

function encodeAnswer(query: Buffer, end: number, addresses: string[], exists: boolean): Buffer {
  const head = Buffer.from(query.subarray(0, end));
  // A response with "recursion available"; NXDOMAIN (3) if the name does not exist.
  head.writeUInt16BE(0x8180 | (exists ? 0 : 3), 2);
  head.writeUInt16BE(addresses.length, 6);
  head.writeUInt32BE(0, 8);
  const records = addresses.map((address) => {
    // The name is a pointer to the name in the question.
    const record = Buffer.from([0xc0, HEADER_BYTES, 0, A, 0, 1, 0, 0, 0, TTL_S, 0, 4]);
    return Buffer.concat([record, Buffer.from(address.split('.').map(Number))]);
  });
  return Buffer.concat([head, ...records]);
}
