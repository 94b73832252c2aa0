import { KeyObject, webcrypto } from 'node:crypto';
import * as x509 from '@peculiar/x509';

export async function platformCertificate(serialNumber = '5157F09EFDC096DE15EBE81A47057A72') {
  const rsa = {
    name: 'RSASSA-PKCS1-v1_5',
    hash: 'SHA-256',
    modulusLength: 2048,
    publicExponent: Uint8Array.of(1, 0, 1),
  };
  const keys = await webcrypto.subtle.generateKey(rsa, true, ['sign', 'verify']);
  const certificate = await x509.X509CertificateGenerator.createSelfSigned({ serialNumber, name: 'CN=Tenpay', keys });
  const privateKey = KeyObject.from(keys.privateKey).export({ type: 'pkcs8', format: 'pem' }) as string;
  return { pem: certificate.toString('pem'), serial: serialNumber, privateKey };
}
