// npm run dev: server and console with reload. The console is at http://localhost:5173; its calls go to the server.
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createServer } from 'vite';
import { watchPrograms } from './programs.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const port = process.env.YUNXUN_HTTP_PORT ?? '8080';

let server = null;
let restart = Promise.resolve();

/** Ends the running server, which keeps its data folder locked until then, and starts the new build. */
function startServer() {
  restart = restart.then(async () => {
    if (server && server.exitCode === null && server.signalCode === null) {
      const ended = new Promise((resolve) => server.once('exit', resolve));
      server.kill('SIGTERM');
      await ended;
    }
    server = spawn(process.execPath, ['--enable-source-maps', join(root, 'packages/server/dist/main.js')], {
      cwd: root,
      stdio: 'inherit',
    });
  });
}

const programs = await watchPrograms(startServer);
const target = `http://localhost:${port}`;
const web = await createServer({
  configLoader: 'runner',
  root: join(root, 'packages/web'),
  server: {
    proxy: Object.fromEntries(
      ['/api', '/docs/api', '/enroll.sh'].map((path) => [path, { target, changeOrigin: true, ws: true }]),
    ),
  },
});
await web.listen();
web.printUrls();

for (const signal of ['SIGINT', 'SIGTERM']) {
  process.once(signal, async () => {
    await Promise.all([programs.dispose(), web.close()]);
    await restart;
    if (server?.exitCode === null) {
      server.once('exit', () => process.exit(0));
      server.kill('SIGTERM');
    } else process.exit(0);
  });
}
