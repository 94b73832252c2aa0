import type { FastifyInstance } from 'fastify';
import type { Base } from '../base.ts';
import type { Features } from '../features.ts';
import { createGuessSlots } from '../platform/guesses/index.ts';
import { mountApiPage } from '../platform/http/api-page.ts';
import type { Route } from '../platform/http/call.ts';
import { mountDownloads } from '../platform/http/download.ts';
import type { HttpOptions } from '../platform/http/http-options.ts';
import { createCalls } from '../platform/http/invoke.ts';
import { mountPages } from '../platform/http/pages.ts';
import { mount } from '../platform/http/server.ts';
import { mountLive } from '../platform/live/index.ts';
import {
  createAgentSigner,
  createRefusalLog,
  mountEdgeBundle,
  mountEnrolScript,
  readClientCas,
  uplinkRoutes,
} from '../uplink/index.ts';
import { version } from '../version.ts';

export function httpOptionsOf(
  { options, config, database, clock, log, storage }: Base,
  { list, authenticate }: Features,
): HttpOptions {
  return {
    database,
    clock,
    log,
    tls: config.tls,
    trustedProxies: config.trustedProxies,
    isFull: storage.isFull,
    authenticate,
    objects: Object.assign({}, ...list.map(({ objects }) => objects)),
    limitFactor: options.limitFactor ?? 1,
  };
}

export async function mountConsole(
  app: FastifyInstance,
  http: HttpOptions,
  base: Base,
  { list, handlers, gate, pictureOrigins }: Features,
): Promise<void> {
  const { options, config, database, bus, clock, log, storage, authority, downloads, device } = base;
  const clientCas = await readClientCas(config.deviceClientCas);
  const signer = createAgentSigner(options.masterKey);
  const refusals = createRefusalLog(database, clock, log);
  app.addHook('onClose', () => refusals.flush());
  const calls = createCalls(http, () => routes);
  const routes: Route[] = [
    ...list.flatMap((feature) => feature.routes?.(calls) ?? []),
    ...uplinkRoutes({
      database,
      bus,
      clock,
      authority,
      handlers,
      gate,
      refusals,
      clientCas,
      guesses: createGuessSlots({ database, clock }),
      server: device,
      signingKey: signer.publicKey,
    }),
  ];
  mount(app, http, routes);
  mountEnrolScript(app, config.publicUrl);
  mountEdgeBundle(app, options.edgeDir ?? null, signer);
  mountDownloads(app, http, downloads);
  for (const feature of list) feature.mount?.(app, http);
  mountLive(app, http, bus, storage);
  mountApiPage(app, version, config.publicUrl);
  await mountPages(app, options.webDir, pictureOrigins);
}
