import { Type } from 'typebox';
import { endpoint } from './endpoint.ts';
import { Id, Serial } from './shapes.ts';

/** Replaced by the first session. */
const SelfDescription = Type.String({ maxLength: 128, pattern: '^[\\x20-\\x7e]*$', hint: 'ascii' });

/** CSR whose key was discarded; for tests and the API page. */
const exampleRequest = `-----BEGIN CERTIFICATE REQUEST-----
MIHRMHkCAQAwFzEVMBMGA1UEAxMMMDJmZTNjOWEwMDAxMFkwEwYHKoZIzj0CAQYI
KoZIzj0DAQcDQgAE4SS/VVIGm9Ws5/WUslGVBCS55Q5/0LY2cso+p0B1g3CsonBS
l7c107UAN4gq/kPA5DqfW3nbI9rueJ58DWeYjKAAMAoGCCqGSM49BAMCA0gAMEUC
IGjT/OF1e3p3ZT3O1/JentQ3CmZWMohcjbgwe0q+CiucAiEAiwzqlGl53zv7Fg80
fW3DVgsQq/JR18+fHFRP5JKA4KQ=
-----END CERTIFICATE REQUEST-----
`;

/** Binding code to certificate. Called by enroll.sh and the edge agent. */
export const deviceEnroll = endpoint({
  access: 'public',
  permission: null,
  // the binding code determines the account
  object: {},
  effect: 'write',
  path: '/api/v3/device/enroll',
  bodyBytes: 40 * 1024,
  method: 'POST',
  limit: { max: 600, windowSeconds: 60 },
  summary:
    "Signs a device's certificate request for the account of the binding code; 4112 when the serial is bound elsewhere, 4117 while a person has to allow the request, 4118 after a refusal.",
  body: Type.Object({
    binding_code: Type.String({ minLength: 1, maxLength: 64 }),
    /** MAC, and the request's CN. */
    serial: Serial,
    csr: Type.String({ minLength: 1, maxLength: 16_384 }),
    platform: Type.Optional(SelfDescription),
    model: Type.Optional(SelfDescription),
    /** The device renews its certificate itself, so it gets a short-lived one. */
    renews: Type.Optional(Type.Boolean()),
    /**
     * Proves a bound device: its unrevoked certificate (PEM), and that key's signature over `csr` (SHA-256, ECDSA in
     * DER or RSA PKCS#1 v1.5; base64).
     */
    proof: Type.Optional(
      Type.Object({
        certificate: Type.String({ minLength: 1, maxLength: 16_384 }),
        signature: Type.String({ minLength: 1, maxLength: 1024, pattern: '^[A-Za-z0-9+/]+={0,2}$', hint: 'base64' }),
      }),
    ),
    gwid: Type.Optional(Id),
  }),
  data: Type.Object({
    certificate: Type.String(),
    /** CA of the device port, PEM. */
    ca: Type.String(),
    server: Type.String(),
    port: Type.Integer(),
    /** Signs edge agent versions: Ed25519, SPKI in PEM. Agents pin it. */
    signing_key: Type.String(),
  }),
  example: (seed) => ({ binding_code: seed.account.bindingCode, serial: '02fe3c9a0001', csr: exampleRequest }),
});
