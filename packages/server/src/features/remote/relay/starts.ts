import type { Clock } from '../../../platform/clock.ts';
import type { AccountKeys } from '../../../platform/crypto/account-keys.ts';
import type { Database } from '../../../platform/database/index.ts';
import { keptSignIn } from '../credentials/store.ts';
import { keepOfferedKey, keptHostKey, pinHostKey } from '../host-keys.ts';
import type { RemoteSession } from '../tables.ts';
import type { Start } from './held-session.ts';
import { type SshTarget, sshTerminal } from './ssh.ts';
import { telnetTerminal } from './telnet.ts';

export interface StartDeps {
  database: Database;
  clock: Clock;
  keys: AccountKeys;
}

export function startOf({ database, clock, keys }: StartDeps, row: RemoteSession): Start {
  const trust: Pick<SshTarget, 'trustedKey' | 'kept' | 'canTrust'> = {
    canTrust: row.link_id === null,
    trustedKey: (offered, mayPin) =>
      database.withSystem(async (tx) => {
        const trusted = mayPin ? await pinHostKey(tx, row, offered, clock.now()) : await keptHostKey(tx, row);
        if (trusted !== offered) await keepOfferedKey(tx, row, offered);
        return trusted;
      }),
    kept: () => database.withSystem((tx) => keptSignIn(tx, keys, row)),
  };
  return async (link, size, dialogue) => {
    const { kind, host, port } = row;
    if (kind === 'shell') return link.openShell(size);
    if (host === null || port === null) throw new Error('no address');
    if (kind === 'vnc') return { stream: await link.connect(host, port), resize: () => undefined };
    if (kind === 'telnet') return telnetTerminal(await link.connect(host, port), size);
    return sshTerminal(link, size, dialogue, { host, port, ...trust });
  };
}
