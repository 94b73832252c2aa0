import { createHash } from 'node:crypto';
import { remote } from '@yunxun/contract';
import type { RemoteSize } from '@yunxun/contract/device';
import { Client, type ClientChannel, type ConnectConfig } from 'ssh2';
import type { KeptSignIn } from '../credentials/store.ts';
import type { DeviceLink, Terminal } from './device-link.ts';
import { type Dialogue, SessionRefused } from './held-session.ts';
import { sftpFiles } from './sftp-files.ts';

/** Milliseconds until the keys are exchanged; a person may take longer to answer afterwards. */
const handshakeWait = 20_000;
const terminalType = 'xterm-256color';
/** Equipment of many years offers nothing better; the way to its gateway is TLS. */
const algorithms: ConnectConfig['algorithms'] = {
  kex: { append: ['diffie-hellman-group14-sha1', 'diffie-hellman-group-exchange-sha1'], prepend: [], remove: [] },
  cipher: { append: ['aes256-cbc', 'aes128-cbc'], prepend: [], remove: [] },
};

export interface SshTarget {
  host: string;
  port: number;
  /** Returns the key that is trusted at this address, or null. `mayPin`: trusts the first one. */
  trustedKey(offered: string, mayPin: boolean): Promise<string | null>;
  kept(): Promise<KeptSignIn | null>;
  /** Whether the person at the page can trust keys for the account. */
  canTrust: boolean;
}

export function fingerprintOf(key: Buffer): string {
  return `SHA256:${createHash('sha256').update(key).digest('base64').replace(/=+$/, '')}`;
}

/**
 * Signs in as is kept for the host, else asks for a user and a password, which leave memory with the sign-in.
 * @throws SessionRefused, Unreachable
 */
export async function sshTerminal(
  link: DeviceLink,
  size: RemoteSize,
  dialogue: Dialogue,
  target: SshTarget,
): Promise<Terminal> {
  const kept = await target.kept();
  if (kept) {
    const terminal = await signIn(link, size, dialogue, target, kept, false);
    if (terminal) {
      dialogue.say({ type: 'signed_in', user: kept.user });
      return terminal;
    }
  }
  for (let tried = 0; tried < remote.remoteLimits.signIns; tried += 1) {
    const refused = tried === 0 && kept ? kept.user : null;
    const asked = await dialogue.ask({ type: 'login', again: tried > 0, refused }, 'login');
    const terminal = await signIn(link, size, dialogue, target, asked, true);
    if (terminal) return terminal;
  }
  throw new SessionRefused('sign_in_failed');
}

/** `mayPin`: a person typed the password, and saw nothing of the host before. Returns null for a refused sign-in. */
async function signIn(
  link: DeviceLink,
  size: RemoteSize,
  dialogue: Dialogue,
  target: SshTarget,
  { user, ...secret }: KeptSignIn,
  mayPin: boolean,
): Promise<Terminal | null> {
  const sock = await link.connect(target.host, target.port);
  const client = new Client();
  const password = 'password' in secret ? secret.password : null;
  return new Promise((resolve, reject) => {
    const fail = (error: Error) => {
      clearTimeout(timer);
      client.destroy();
      sock.destroy();
      reject(error);
    };
    const limit = () => setTimeout(() => fail(new Error('no SSH')), handshakeWait);
    let timer = limit();
    sock.once('close', () => fail(new Error('the connection ended')));
    client.once('handshake', () => clearTimeout(timer));
    client.on('error', (error: Error & { level?: string }) => {
      if (error.level !== 'client-authentication') return fail(error);
      client.end();
      resolve(null);
    });
    client.on('keyboard-interactive', (_name, _instructions, _language, prompts, finish) => {
      answer(dialogue, prompts, password).then(finish, fail);
    });
    client.once('ready', () => {
      const { columns: cols, rows } = size;
      client.shell({ term: terminalType, cols, rows }, (error, channel) => {
        if (error) return fail(error);
        resolve(terminalOf(client, channel));
      });
    });
    client.connect({
      sock,
      username: user,
      ...secret,
      tryKeyboard: true,
      readyTimeout: 0,
      algorithms,
      hostVerifier: (key: Buffer, verify: (isValid: boolean) => void) => {
        clearTimeout(timer);
        verifyHost(dialogue, target, fingerprintOf(key), mayPin).then(
          () => {
            timer = limit();
            verify(true);
          },
          (error: Error) => {
            fail(error);
            verify(false);
          },
        );
      },
    });
  });
}

/**
 * A kept sign-in is sent to a known host only: a person has to trust the first key of an address.
 * @throws SessionRefused for a key that is not trusted
 */
async function verifyHost(dialogue: Dialogue, target: SshTarget, offered: string, mayPin: boolean): Promise<void> {
  let known = await target.trustedKey(offered, mayPin);
  if (known === null) {
    if (!target.canTrust) throw new SessionRefused('no_host_key');
    await dialogue.ask({ type: 'host_key', known, offered }, 'trusted');
    known = await target.trustedKey(offered, false);
  }
  if (known === offered) return;
  dialogue.say({ type: 'host_key', known, offered });
  throw new SessionRefused('host_key', offered);
}

interface Prompt {
  prompt: string;
  echo?: boolean;
}

/** Answers a single hidden prompt with the password: most hosts ask for it in this way. */
async function answer(dialogue: Dialogue, prompts: readonly Prompt[], password: string | null): Promise<string[]> {
  if (prompts.length === 0) return [];
  const isForPassword = prompts.length === 1 && prompts[0]!.echo !== true && /pass/i.test(prompts[0]!.prompt);
  if (isForPassword && password !== null) return [password];
  const questions = prompts
    .slice(0, 16)
    .map(({ prompt, echo }) => ({ text: prompt.slice(0, 200), echo: echo === true }));
  const { answers } = await dialogue.ask({ type: 'questions', questions }, 'answers');
  return [...answers];
}

function terminalOf(client: Client, channel: ClientChannel): Terminal {
  // a host may go on after its end of file
  channel.stderr.on('error', () => client.destroy()).resume();
  channel.on('error', () => client.destroy());
  channel.once('close', () => client.end());
  return {
    stream: channel,
    resize: ({ columns, rows }) => {
      if (channel.writable) channel.setWindow(rows, columns, 0, 0);
    },
    files: sftpFiles(client),
  };
}
