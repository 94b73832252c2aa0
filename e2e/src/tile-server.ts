import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface TileServer {
  port: number;
  asked: { tile: string; referer: string | undefined }[];
  missing: Set<string>;
  stop(): Promise<void>;
}

export function colourOf(tile: string): number {
  const [z, x, y] = tile.split('/').map(Number) as [number, number, number];
  return ((160 + (z % 4) * 24) << 16) | ((140 + (x % 5) * 25) << 8) | (140 + (y % 5) * 25);
}

export async function startTileServer(): Promise<TileServer> {
  const asked: TileServer['asked'] = [];
  const missing = new Set<string>();
  const server = createServer((request, reply) => {
    const tile = /^\/(\d+\/\d+\/\d+)\.svg$/.exec(request.url ?? '')?.[1];
    if (tile) asked.push({ tile, referer: request.headers.referer });
    if (!tile || missing.has(tile)) return reply.writeHead(404).end();
    const fill = `#${colourOf(tile).toString(16)}`;
    reply.writeHead(200, { 'content-type': 'image/svg+xml' });
    reply.end(
      `<svg xmlns="http://www.w3.org/2000/svg" width="256" height="256"><rect width="256" height="256" fill="${fill}"/></svg>`,
    );
  });
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  return {
    asked,
    missing,
    port: (server.address() as AddressInfo).port,
    async stop() {
      server.closeAllConnections();
      await new Promise((done) => server.close(done));
    },
  };
}
