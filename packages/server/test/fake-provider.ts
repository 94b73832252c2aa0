import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface ProviderRequest {
  path: string;
  query: URLSearchParams;
  rawQuery: string;
  headers: IncomingHttpHeaders;
  body: string;
}

export interface FakeProvider {
  url: string;
  requests: ProviderRequest[];
  /** Null: never answers. */
  answer: ((request: ProviderRequest) => { status?: number; body: unknown }) | null;
  stop(): Promise<void>;
}

export async function startFakeProvider(): Promise<FakeProvider> {
  const server = createServer(async (request, response) => {
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part as Buffer);
    const url = new URL(request.url ?? '/', 'http://provider');
    const got = {
      path: url.pathname,
      query: url.searchParams,
      rawQuery: url.search.slice(1),
      headers: request.headers,
      body: Buffer.concat(parts).toString(),
    };
    fake.requests.push(got);
    if (!fake.answer) return;
    const { status = 200, body } = fake.answer(got);
    response.writeHead(status, { 'content-type': 'application/json' });
    response.end(typeof body === 'string' ? body : JSON.stringify(body));
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const fake: FakeProvider = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests: [],
    answer: () => ({ body: {} }),
    stop: () =>
      new Promise((done) => {
        server.closeAllConnections();
        server.close(() => done());
      }),
  };
  return fake;
}
