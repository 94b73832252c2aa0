import { Type } from 'typebox';
import { endpoint } from './endpoint.ts';
import { Id, Serial } from './shapes.ts';

/** What a device says about itself when it enrols; shown until its first session says better. */
const SelfDescription = Type.String({ maxLength: 128, pattern: '^[\\x20-\\x7e]*$' });

/**
 * A request for the serial `02fe3c9a0001`, signed by a key that was thrown away: valid input for tests and for the
 * API page, of no use to anybody.
 */
const exampleRequest = `-----BEGIN CERTIFICATE REQUEST-----
MIHRMHkCAQAwFzEVMBMGA1UEAxMMMDJmZTNjOWEwMDAxMFkwEwYHKoZIzj0CAQYI
KoZIzj0DAQcDQgAE4SS/VVIGm9Ws5/WUslGVBCS55Q5/0LY2cso+p0B1g3CsonBS
l7c107UAN4gq/kPA5DqfW3nbI9rueJ58DWeYjKAAMAoGCCqGSM49BAMCA0gAMEUC
IGjT/OF1e3p3ZT3O1/JentQ3CmZWMohcjbgwe0q+CiucAiEAiwzqlGl53zv7Fg80
fW3DVgsQq/JR18+fHFRP5JKA4KQ=
-----END CERTIFICATE REQUEST-----
`;

/** Turns a binding code into a certificate for one device (design section 2). Called by enroll.sh and the edge agent. */
export const deviceEnroll = endpoint({
  access: 'public',
  permission: null,
  // the binding code, not the caller, says the account; the handler looks for the network there
  object: {},
  effect: 'write',
  path: '/api/v3/device/enroll',
  method: 'POST',
  limit: { max: 600, windowSeconds: 60 },
  summary:
    "Signs a device's certificate request for the account of the binding code; 4112 when the serial is bound elsewhere.",
  body: Type.Object({
    binding_code: Type.String({ minLength: 1, maxLength: 64 }),
    /** The MAC: twelve lower-case hexadecimal digits, and the request's CN. */
    serial: Serial,
    /** PKCS#10 in PEM. */
    csr: Type.String({ minLength: 1, maxLength: 16_384 }),
    platform: Type.Optional(SelfDescription),
    model: Type.Optional(SelfDescription),
    /** The device renews its certificate by itself (our own agent): it is given one that does not live for decades. */
    renews: Type.Optional(Type.Boolean()),
    /** The network the device shall join. */
    gwid: Type.Optional(Id),
  }),
  data: Type.Object({
    /** The device's certificate, PEM. */
    certificate: Type.String(),
    /** The authority that signed the device port's certificate, PEM. */
    ca: Type.String(),
    /** Host to connect to: the name in the device port's certificate. */
    server: Type.String(),
    port: Type.Integer(),
    /** Public key that this installation's versions of the edge agent are signed with: Ed25519, SPKI in PEM. A box pins it. */
    signing_key: Type.String(),
  }),
  example: (world) => ({ binding_code: world.account.bindingCode, serial: '02fe3c9a0001', csr: exampleRequest }),
});
