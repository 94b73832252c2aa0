import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';

interface Line {
  to: string;
  template: string;
  params: Record<string, string>;
}

const triesMs = 200;
const maxTries = 25;

/**
 * Reads the newest message of a template to an address from the outbox file.
 * @param send returns whether it sent one: earlier ones then do not count
 * @throws Error if none comes within seconds
 */
export async function newestMessage(
  dataDir: string,
  to: string,
  template: string,
  send: () => Promise<boolean> = async () => false,
): Promise<Record<string, string>> {
  const before = await messagesTo(dataDir, to, template);
  const known = (await send()) ? before.length : 0;
  for (let tries = 0; tries < maxTries; tries += 1) {
    const messages = await messagesTo(dataDir, to, template);
    if (messages.length > known) return messages.at(-1)!.params;
    await pause(triesMs);
  }
  throw new Error(`no message ${template} to ${to} in ${dataDir}`);
}

async function messagesTo(dataDir: string, to: string, template: string): Promise<Line[]> {
  const text = await readFile(join(dataDir, 'outbox.ndjson'), 'utf8').catch(() => '');
  const lines = text.split('\n').filter((line) => line.includes(template) && line.includes(to));
  const messages = lines.map((line) => JSON.parse(line) as Line);
  return messages.filter((message) => message.to === to && message.template === template);
}
