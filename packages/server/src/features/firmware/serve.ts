import { timingSafeEqual } from 'node:crypto';
import { Readable } from 'node:stream';
import type { FastifyInstance } from 'fastify';
import { tokenHash } from '../../platform/crypto/index.ts';
import type { Database } from '../../platform/database/index.ts';
import { findImage, partsOf, readPart } from './store.ts';
import type { ImageTable } from './tables.ts';

const folder = '/firmware';

/** Returns the external URL, or one with an unguessable token. */
export function addressOf({ account_id, id, source, token, name, uri }: ImageTable, publicUrl: string): string {
  return source === 'url' && uri !== null ? uri : `${publicUrl}${folder}/${account_id}/${id}/${token}/${name}`;
}

/** Serves `GET /firmware/<account>/<image>/<token>/<name>`; the token replaces authentication. */
export function mountImages(
  app: FastifyInstance,
  { database, limitFactor }: { database: Database; limitFactor: number },
) {
  app.get<{ Params: Address }>(`${folder}/:account/:id/:token/:name`, {
    config: { rateLimit: { max: 600 * limitFactor, timeWindow: 60_000 } },
    handler: async (request, reply) => {
      const image = await offered(database, request.params);
      if (!image) return reply.status(404).type('text/plain').send('no such image\n');
      return reply
        .type('application/octet-stream')
        .header('content-length', image.size ?? 0)
        .header('cache-control', 'no-store')
        .header('etag', `"${image.sha256}"`)
        .send(Readable.from(partsIn(database, image)));
    },
  });
}

interface Address {
  account: string;
  id: string;
  token: string;
  name: string;
}

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

async function offered(database: Database, { account, id, token, name }: Address): Promise<ImageTable | undefined> {
  if (!uuid.test(account) || !uuid.test(id)) return undefined;
  const image = await database.withSystem((tx) => findImage(tx, account, id));
  if (!image?.ready || image.source !== 'upload' || image.name !== name) return undefined;
  return timingSafeEqual(tokenHash(image.token), tokenHash(token)) ? image : undefined;
}

async function* partsIn(database: Database, { account_id, id }: ImageTable): AsyncGenerator<Buffer> {
  for (const part of await partsOf(database.system, account_id, id)) {
    const bytes = await readPart(database.system, account_id, id, part);
    if (bytes === null) throw new Error('the image was deleted while it was fetched');
    yield bytes;
  }
}
