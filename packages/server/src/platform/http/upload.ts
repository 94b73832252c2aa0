import type { FastifyInstance, FastifyRequest } from 'fastify';
import { longestArrival } from './server.ts';

export interface Upload {
  accountId: string;
  max: number;
  /** @returns whether the address was still open */
  keep(file: Buffer): Promise<boolean>;
}

/** Bytes in total and per account: slow uploads stay in memory. */
const capacity = { all: 160 * 1024 * 1024, one: 40 * 1024 * 1024 };
const formBytes = 64 * 1024;

/** Serves `POST <path>:token`: a form with the file in `data` (docs/protocol.md, Commands). The token authenticates. */
export function mountUploads(
  app: FastifyInstance,
  path: string,
  uploadOf: (token: string) => Promise<Upload | null>,
  limitFactor: number,
): void {
  const taken = createCapacity();
  // only this route accepts forms
  app.register(async (own) => {
    own.addContentTypeParser('multipart/form-data', (_request, _payload, done) => done(null));
    own.post<{ Params: { token: string } }>(`${path}:token`, {
      config: { rateLimit: { max: 60 * limitFactor, timeWindow: 60_000 }, arriveWithin: longestArrival },
      handler: async (request, reply) => {
        const upload = await uploadOf(request.params.token);
        if (!upload) return reply.status(404).send({ error: 'unknown address' });
        const max = upload.max + formBytes;
        const coming = Number(request.headers['content-length'] ?? max);
        if (coming > max) return reply.status(413).header('connection', 'close').send({ error: 'too large' });
        if (!taken.take(upload.accountId, coming))
          return reply.status(503).header('retry-after', '10').send({ error: 'busy' });
        try {
          const body = await read(request, max);
          const file = body && fileIn(body, request.headers['content-type'] ?? '');
          if (body === null || (file && file.length > upload.max))
            return reply.status(413).header('connection', 'close').send({ error: 'too large' });
          if (!file || file.length === 0) return reply.status(400).send({ error: 'no file in the field data' });
          return (await upload.keep(file))
            ? reply.status(200).send({ bytes: file.length })
            : reply.status(404).send({ error: 'unknown address' });
        } finally {
          taken.leave(upload.accountId, coming);
        }
      },
    });
  });
}

function createCapacity() {
  const of = new Map<string, number>();
  let all = 0;
  const add = (accountId: string, bytes: number) => {
    all += bytes;
    const own = (of.get(accountId) ?? 0) + bytes;
    if (own > 0) of.set(accountId, own);
    else of.delete(accountId);
  };
  return {
    take(accountId: string, bytes: number): boolean {
      if (all + bytes > capacity.all || (of.get(accountId) ?? 0) + bytes > capacity.one) return false;
      add(accountId, bytes);
      return true;
    },
    leave: (accountId: string, bytes: number) => add(accountId, -bytes),
  };
}

async function read(request: FastifyRequest, max: number): Promise<Buffer | null> {
  const parts: Buffer[] = [];
  let size = 0;
  for await (const part of request.raw as AsyncIterable<Buffer>) {
    size += part.length;
    if (size > max) return null;
    parts.push(part);
  }
  return Buffer.concat(parts, size);
}

/** Returns the form field `data` (RFC 7578), or null. */
export function fileIn(body: Buffer, contentType: string): Buffer | null {
  const boundary = /;\s*boundary=(?:"([^"]{1,70})"|([^;\s]{1,70}))/i.exec(contentType);
  const mark = boundary && `--${boundary[1] ?? boundary[2]}`;
  if (!mark) return null;
  for (let at = body.indexOf(mark); at !== -1; ) {
    const head = at + mark.length + 2;
    const headEnd = body.indexOf('\r\n\r\n', head);
    const end = headEnd === -1 ? -1 : body.indexOf(`\r\n${mark}`, headEnd + 2);
    if (headEnd === -1 || end === -1) return null;
    const words = body.toString('latin1', head, Math.min(headEnd, head + 2048));
    if (/^content-disposition:[^\r\n]*;\s*name="?data"?(;|\s|$)/im.test(words)) return body.subarray(headEnd + 4, end);
    at = end + 2;
  }
  return null;
}
