import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { contentPolicy } from './content-policy.ts';
import { envelope } from './envelope.ts';
import { localeOf } from './locale.ts';

/** What follows is a secret. */
const secretPath = '/remote/link/';

/** Answers unknown paths with index.html, which routes them. Without a folder serves the API only. */
export async function mountPages(
  app: FastifyInstance,
  webDir: string | null,
  pictureOrigins: () => Promise<readonly string[]>,
): Promise<void> {
  const setPolicies = async (request: FastifyRequest, reply: FastifyReply) => {
    if (request.url.startsWith(secretPath)) reply.header('referrer-policy', 'no-referrer');
    // without a database the page still says so
    const origins = await pictureOrigins().catch(() => []);
    reply.header('content-security-policy', contentPolicy(origins));
  };
  // before the body is read, which has no meaning here
  app.addHook('preParsing', async (request, reply) => {
    if (request.is404 && !/^(GET|HEAD)$/.test(request.method))
      await reply.status(404).send(envelope('notFound', localeOf(request), null));
  });
  if (!webDir) {
    app.setNotFoundHandler(async (request, reply) => {
      await setPolicies(request, reply);
      return reply.status(404).send(envelope('notFound', localeOf(request), null));
    });
    return;
  }
  if (!existsSync(join(webDir, 'index.html')))
    throw new Error(`The console is not built: ${webDir} has no index.html. Run npm run build.`);
  await app.register(fastifyStatic, {
    root: webDir,
    wildcard: false,
    index: false,
    preCompressed: true,
    cacheControl: false,
    setHeaders(reply, path) {
      // built names contain a hash; others are revalidated
      reply.setHeader(
        'cache-control',
        path.includes(`${webDir}/assets/`) ? 'public, max-age=31536000, immutable' : 'no-cache',
      );
    },
  });
  const index = await readFile(join(webDir, 'index.html'));
  app.setNotFoundHandler(async (request, reply) => {
    const isPage =
      /^(GET|HEAD)$/.test(request.method) && !request.url.startsWith('/api/') && !request.url.startsWith('/assets/');
    if (!isPage) return reply.status(404).send(envelope('notFound', localeOf(request), null));
    await setPolicies(request, reply);
    return reply.header('cache-control', 'no-cache').type('text/html; charset=utf-8').send(index);
  });
}
