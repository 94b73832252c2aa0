import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import type { AgentSigner } from './agent-signer.ts';

/** Its signed statement has `.sig` appended. */
export const edgeBundlePath = '/edge/yunxun-edge.mjs';

interface Offer {
  type: string;
  body: Buffer;
  etag: string;
}

type Offers = Readonly<Record<'bundle' | 'statement', Offer>>;

const missing = 'This console was built without the edge agent. Its operator builds it with: npm run build\n';

/**
 * Serves the agent, and as `.sig` the JSON {version, sha256, signature, key} (Ed25519; base64, PEM). Caches both
 * together, so that they match.
 */
export function mountEdgeBundle(app: FastifyInstance, folder: string | null, signer: AgentSigner): void {
  let kept: Offers | null = null;
  for (const [path, which] of [
    [edgeBundlePath, 'bundle'],
    [`${edgeBundlePath}.sig`, 'statement'],
  ] as const) {
    app.get(path, async (request, reply) => {
      kept ??= folder === null ? null : await read(folder, signer);
      if (kept === null) return reply.status(404).type('text/plain; charset=utf-8').send(missing);
      const { type, body, etag } = kept[which];
      reply.header('cache-control', 'no-cache').header('etag', etag);
      if (names(request.headers['if-none-match'], etag)) return reply.status(304).send();
      return reply.type(type).send(body);
    });
  }
}

export async function edgeBundleVersion(folder: string | null): Promise<string | null> {
  if (folder === null) return null;
  return readFile(join(folder, 'version'), 'utf8').then(
    (text) => text.trim(),
    () => null,
  );
}

async function read(folder: string, signer: AgentSigner): Promise<Offers | null> {
  const built = await Promise.all([
    readFile(join(folder, 'yunxun-edge.mjs')),
    readFile(join(folder, 'version'), 'utf8'),
  ]).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null;
    throw error;
  });
  if (built === null) return null;
  const [bundle, text] = built;
  const version = text.trim();
  const sha256 = digest(bundle);
  const statement = Buffer.from(
    `${JSON.stringify({ version, sha256, signature: signer.sign(version, sha256), key: signer.publicKey })}\n`,
  );
  return {
    bundle: { type: 'text/javascript; charset=utf-8', body: bundle, etag: `"${sha256}"` },
    statement: { type: 'application/json; charset=utf-8', body: statement, etag: `"${digest(statement)}"` },
  };
}

function digest(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('hex');
}

/** Accepts weak tags, which proxies create. */
function names(header: string | undefined, etag: string): boolean {
  return (header ?? '').split(',').some((one) => one.trim().replace(/^W\//, '') === etag);
}
