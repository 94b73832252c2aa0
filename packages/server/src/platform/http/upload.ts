import type { FastifyInstance, FastifyRequest } from 'fastify';
import { longestArrival } from './server.ts';

/** A file that a device may bring to one address. */
export interface Upload {
  /** Whose it is. */
  accountId: string;
  /** Bytes at most. */
  most: number;
  /** Keeps it. @returns whether the address was still open for it */
  keep(file: Buffer): Promise<boolean>;
}

/** Bytes of files on their way, all together and of one account: they are in memory while they come, and on a slow line that is long. */
const room = { all: 160 * 1024 * 1024, one: 40 * 1024 * 1024 };
/** Bytes of a form beside the file in it. */
const formBytes = 64 * 1024;

/**
 * Serves `POST <path>:token`: devices bring files there as a form with the file in its field `data`, as curl does
 * (device-protocol.md 1.5). The token is all that says who they are.
 */
export function mountUploads(
  app: FastifyInstance,
  path: string,
  uploadOf: (token: string) => Promise<Upload | null>,
  limitFactor: number,
): void {
  const taken = createRoom();
  // by itself: nobody else takes forms, and this one is read as it comes
  app.register(async (own) => {
    own.addContentTypeParser('multipart/form-data', (_request, _payload, done) => done(null));
    own.post<{ Params: { token: string } }>(`${path}:token`, {
      config: { rateLimit: { max: 60 * limitFactor, timeWindow: 60_000 }, arriveWithin: longestArrival },
      handler: async (request, reply) => {
        const upload = await uploadOf(request.params.token);
        if (!upload) return reply.status(404).send({ error: 'unknown address' });
        const most = upload.most + formBytes;
        const coming = Number(request.headers['content-length'] ?? most);
        if (coming > most) return reply.status(413).header('connection', 'close').send({ error: 'too large' });
        if (!taken.take(upload.accountId, coming))
          return reply.status(503).header('retry-after', '10').send({ error: 'busy' });
        try {
          const body = await read(request, most);
          const file = body && fileIn(body, request.headers['content-type'] ?? '');
          if (body === null || (file && file.length > upload.most))
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

/** Who takes how much of the room. */
function createRoom() {
  const of = new Map<string, number>();
  let all = 0;
  const add = (accountId: string, bytes: number) => {
    all += bytes;
    const own = (of.get(accountId) ?? 0) + bytes;
    if (own > 0) of.set(accountId, own);
    else of.delete(accountId);
  };
  return {
    /** @returns whether there was any */
    take(accountId: string, bytes: number): boolean {
      if (all + bytes > room.all || (of.get(accountId) ?? 0) + bytes > room.one) return false;
      add(accountId, bytes);
      return true;
    },
    leave: (accountId: string, bytes: number) => add(accountId, -bytes),
  };
}

/** The whole body; null when it has more than so many bytes. */
async function read(request: FastifyRequest, most: number): Promise<Buffer | null> {
  const parts: Buffer[] = [];
  let size = 0;
  for await (const part of request.raw as AsyncIterable<Buffer>) {
    size += part.length;
    if (size > most) return null;
    parts.push(part);
  }
  return Buffer.concat(parts, size);
}

/** What a form holds in its field `data` (RFC 7578); null when it is no form or has no such field. */
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
