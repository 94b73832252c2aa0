import { createPublicKey, createVerify, type KeyObject, X509Certificate } from 'node:crypto';

const block = /-----BEGIN (PUBLIC KEY|CERTIFICATE)-----[\s\S]+?-----END \1-----/g;

/**
 * Reads the keys that WeChat Pay signs by: public keys, with their IDs in the same order, and platform certificates.
 * @returns by the serial number that `Wechatpay-Serial` names; null: not readable, or without an ID
 */
export function platformKeys(pem: string, ids: string): ReadonlyMap<string, KeyObject> | null {
  const names = ids.split(',').filter(Boolean);
  const keys = new Map<string, KeyObject>();
  try {
    for (const [text, kind] of pem.matchAll(block)) {
      const certificate = kind === 'CERTIFICATE' ? new X509Certificate(text) : null;
      const key = certificate?.publicKey ?? createPublicKey(text);
      const id = certificate?.serialNumber ?? names.shift();
      if (!id || key.asymmetricKeyType !== 'rsa') return null;
      keys.set(id, key);
    }
  } catch {
    return null;
  }
  return keys.size > 0 && names.length === 0 ? keys : null;
}

/** Checks the signature over time, nonce and raw body (pay.weixin.qq.com/doc/v3, the same for notices and answers). */
export function isSigned(
  keys: ReadonlyMap<string, KeyObject>,
  of: (header: string) => string,
  body: Buffer | string,
): boolean {
  const key = keys.get(of('wechatpay-serial'));
  if (!key) return false;
  const signed = createVerify('RSA-SHA256')
    .update(`${of('wechatpay-timestamp')}\n${of('wechatpay-nonce')}\n`)
    .update(body)
    .update('\n');
  return signed.verify(key, of('wechatpay-signature'), 'base64');
}
