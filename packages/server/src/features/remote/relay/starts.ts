import type { Clock } from '../../../platform/clock.ts';
import type { Database } from '../../../platform/database/index.ts';
import { keepOfferedKey, pinHostKey } from '../host-keys.ts';
import type { RemoteSession } from '../tables.ts';
import type { Start } from './held-session.ts';
import { sshTerminal } from './ssh.ts';
import { telnetTerminal } from './telnet.ts';

export function startOf({ database, clock }: { database: Database; clock: Clock }, row: RemoteSession): Start {
  const otherKey = (offered: string) =>
    database.withSystem(async (tx) => {
      const kept = await pinHostKey(tx, row, offered, clock.now());
      if (kept === offered) return null;
      await keepOfferedKey(tx, row, offered);
      return kept;
    });
  return async (link, size, dialogue) => {
    const { kind, host, port } = row;
    if (kind === 'shell') return link.openShell(size);
    if (host === null || port === null) throw new Error('no address');
    if (kind === 'vnc') return { stream: await link.connect(host, port), resize: () => undefined };
    if (kind === 'telnet') return telnetTerminal(await link.connect(host, port), size);
    return sshTerminal(link, size, dialogue, { host, port, otherKey });
  };
}
