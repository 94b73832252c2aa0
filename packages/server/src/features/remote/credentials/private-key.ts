import { createPrivateKey, type KeyObject } from 'node:crypto';
import ssh from 'ssh2';
import { invalid } from '../../../platform/failure.ts';

/** Of bcrypt, which takes 25 ms each. */
const maxRounds = 32;
const magic = Buffer.from('openssh-key-v1\0');

/**
 * Returns a key that opens without its passphrase, which would take time at each sign-in. The caller seals it.
 * @throws Invalid for `key` or `passphrase`
 */
export function openPrivateKey(text: string, passphrase: string | undefined): string {
  const isOpenSsh = /^\s*-----BEGIN OPENSSH PRIVATE KEY-----/.test(text);
  const key = createKey(isOpenSsh ? openSshToPem(text, passphrase) : text, passphrase);
  switch (key.asymmetricKeyType) {
    case 'rsa':
      return key.export({ type: 'pkcs1', format: 'pem' }).toString();
    case 'ec':
      return key.export({ type: 'sec1', format: 'pem' }).toString();
    case 'ed25519':
      return ed25519ToOpenSsh(key);
    default:
      return invalid('key', 'validation.privateKey');
  }
}

function createKey(pem: string, passphrase = ''): KeyObject {
  // the file of PKCS #8 sets how long its passphrase takes
  if (pem.includes('BEGIN ENCRYPTED PRIVATE KEY')) invalid('key', 'validation.privateKey');
  try {
    return createPrivateKey({ key: pem, passphrase });
  } catch {
    return /^(Proc-Type: 4,ENCRYPTED)/m.test(pem)
      ? invalid('passphrase', 'validation.passphrase')
      : invalid('key', 'validation.privateKey');
  }
}

function openSshToPem(text: string, passphrase: string | undefined): string {
  const rounds = roundsOf(text);
  if (rounds > maxRounds) invalid('key', 'validation.keyRounds', { rounds, max: maxRounds });
  const parsed = ssh.utils.parseKey(text, passphrase);
  if (parsed instanceof Error)
    return rounds > 0 ? invalid('passphrase', 'validation.passphrase') : invalid('key', 'validation.privateKey');
  if (!parsed.isPrivateKey()) invalid('key', 'validation.privateKey');
  return parsed.getPrivatePEM();
}

/** Of `openssh-key-v1`: cipher, KDF, options of the KDF (salt, rounds). Returns 0 without a passphrase. */
function roundsOf(text: string): number {
  const container = Buffer.from(text.replace(/-----[^-]*-----/g, ''), 'base64');
  let at = magic.length;
  const field = () => {
    const end = at + 4 + container.readUInt32BE(at);
    const value = container.subarray(at + 4, end);
    at = end;
    return value;
  };
  try {
    field();
    if (field().toString() !== 'bcrypt') return 0;
    const options = field();
    return options.readUInt32BE(4 + options.readUInt32BE(0));
  } catch {
    return invalid('key', 'validation.privateKey');
  }
}

/** Writes `openssh-key-v1` without a passphrase: other forms of Ed25519 are not read by ssh2. */
function ed25519ToOpenSsh(key: KeyObject): string {
  const { d = '', x = '' } = key.export({ format: 'jwk' });
  const [seed, point] = [Buffer.from(d, 'base64url'), Buffer.from(x, 'base64url')];
  const type = string('ssh-ed25519');
  const check = Buffer.alloc(8);
  const secret = Buffer.concat([check, type, string(point), string(Buffer.concat([seed, point])), string('')]);
  const padding = Buffer.from(Array.from({ length: (8 - (secret.length % 8)) % 8 }, (_, n) => n + 1));
  const none = string('none');
  const count = Buffer.from([0, 0, 0, 1]);
  const publicKey = string(Buffer.concat([type, string(point)]));
  const sealed = string(Buffer.concat([secret, padding]));
  const all = Buffer.concat([magic, none, none, string(''), count, publicKey, sealed]).toString('base64');
  const lines = all.match(/.{1,70}/g) ?? [];
  return ['-----BEGIN OPENSSH PRIVATE KEY-----', ...lines, '-----END OPENSSH PRIVATE KEY-----', ''].join('\n');
}

function string(value: string | Buffer): Buffer {
  const body = Buffer.from(value as string);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(body.length);
  return Buffer.concat([length, body]);
}
