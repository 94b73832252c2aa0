import { open } from 'node:fs/promises';
import { join } from 'node:path';
import type { Log } from '../log.ts';
import type { Adapter } from './message.ts';

const name = 'outbox.ndjson';

/** Replaces a provider: a JSON line per message in `outbox.ndjson`. */
export function fileAdapter(dataDir: string, log: Log): Adapter {
  const path = join(dataDir, name);
  return {
    async send({ at, channel, to, template, params, text }) {
      const file = await open(path, 'a', 0o600);
      try {
        await file.appendFile(`${JSON.stringify({ at, channel, to, template, params, text })}\n`);
        await file.sync();
      } finally {
        await file.close();
      }
      // visible by default: no recipient gets the message
      log.warn({ channel, to, template }, 'no provider is configured: message written to outbox.ndjson');
      return name;
    },
  };
}
