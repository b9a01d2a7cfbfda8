/** A server on loopback with the part of S3's API that the audio store uses. Objects are in memory. */
import { createHash } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { startReceiver, type ReceivedRequest, type Receiver } from './receiver.ts';

export interface TestS3 {
  url: string;
  /** Objects by `/bucket/key`. */
  objects: Map<string, { body: Buffer; modified: Date }>;
  requests: Receiver['requests'];
  /** HTTP statuses of the next responses, to simulate failures. */
  failures: number[];
  stop(): Promise<void>;
}

/** Number of keys on a page of a list. Small, so tests cover several pages. */
const PAGE = 2;

export async function startTestS3(): Promise<TestS3> {
  const objects: TestS3['objects'] = new Map();
  const failures: number[] = [];
  const receiver = await startReceiver((response, request) => {
    const failure = failures.shift();
    if (failure !== undefined) return answerError(response, failure, 'InternalError');
    const url = new URL(request.path, 'http://s3');
    const path = decodeURIComponent(url.pathname);
    if (!request.headers.authorization?.startsWith('AWS4-HMAC-SHA256 '))
      return answerError(response, 403, 'AccessDenied');
    if (request.method === 'PUT') put(path, request, response);
    else if (request.method === 'DELETE') {
      objects.delete(path);
      response.writeHead(204).end();
    } else if (url.searchParams.has('list-type')) list(path.replace(/\/$/, ''), url.searchParams, response);
    else get(path, request, response);
  });

  function put(path: string, request: ReceivedRequest, response: ServerResponse): void {
    const signed = request.headers['x-amz-content-sha256'];
    const actual = createHash('sha256').update(request.body).digest('hex');
    if (signed !== actual) return answerError(response, 400, 'XAmzContentSHA256Mismatch');
    objects.set(path, { body: request.body, modified: new Date() });
    response.writeHead(200, { ETag: '"x"' }).end();
  }

  function get(path: string, request: ReceivedRequest, response: ServerResponse): void {
    const found = objects.get(path);
    if (!found) return answerError(response, 404, 'NoSuchKey');
    const [, start, end] = /^bytes=(\d+)-(\d+)$/.exec(request.headers.range ?? '') ?? [];
    const body = start === undefined ? found.body : found.body.subarray(Number(start), Number(end) + 1);
    response.writeHead(start === undefined ? 200 : 206, { 'Content-Length': body.length }).end(body);
  }

  function list(bucket: string, query: URLSearchParams, response: ServerResponse): void {
    const prefix = query.get('prefix') ?? '';
    const after = query.get('continuation-token') ?? '';
    const keys = [...objects.keys()]
      .filter((path) => path.startsWith(`${bucket}/${prefix}`))
      .map((path) => path.slice(bucket.length + 1))
      .sort()
      .filter((key) => key > after);
    const page = keys.slice(0, PAGE);
    const contents = page.map(
      (key) =>
        `<Contents><Key>${key}</Key><LastModified>${objects.get(`${bucket}/${key}`)!.modified.toISOString()}</LastModified></Contents>`,
    );
    const isLast = keys.length <= PAGE;
    const next = isLast ? '' : `<NextContinuationToken>${page.at(-1)}</NextContinuationToken>`;
    response
      .writeHead(200, { 'Content-Type': 'application/xml' })
      .end(`<ListBucketResult><IsTruncated>${!isLast}</IsTruncated>${next}${contents.join('')}</ListBucketResult>`);
  }

  return { url: receiver.url, objects, requests: receiver.requests, failures, stop: () => receiver.stop() };
}

function answerError(response: ServerResponse, status: number, code: string): void {
  response.writeHead(status, { 'Content-Type': 'application/xml' }).end(`<Error><Code>${code}</Code></Error>`);
}
