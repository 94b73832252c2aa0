/** Ids of the test world that `example` inputs refer to; the isolation test makes one world per owner. */
export interface World {
  account: { id: string; email: string; mobile: string; password: string; bindingCode: string };
  network: { gwid: string };
  spareNetwork: { gwid: string };
  device: { serial: string; gwid: string };
  waitingDevice: { serial: string };
  /** A terminal at the device, by its MAC, and one that is blocked. */
  station: { mac: string };
  blockedStation: { mac: string };
  job: { id: string };
  message: { id: string };
  session: { id: string };
  /** The owner's fresh API token, passkey, and a passkey that its browser has just made. */
  token: { id: string };
  passkey: { id: string };
  newPasskey: { ticket: string; response: unknown };
  /** A member of the owner's account, an open invitation into it, and networks of it hosted to another account. */
  member: { id: string };
  invitation: { id: string; token: string };
  grant: { id: string };
  /** What another account hosts to the owner's. */
  receivedGrant: { id: string };
  /** An account that the owner is a member of, and one that hosts nothing to it and gets nothing hosted. */
  otherAccount: { id: string; login: string };
  receivedInvitation: { token: string };
  /** What the owner's phone reads off a waiting QR code. */
  qrCode: string;
  /** Names that nobody signs in with, and the codes sent to them for the owner to bind them. */
  newMobile: string;
  newEmail: string;
  codes: { mobile: string; email: string };
  /** The code of the authenticator app whose secret was made last. */
  totpCode: string;
  log: { seq: number };
  /** An operation that can be undone. */
  undoable: { seq: number };
  /** The installation's one-time set-up token; the first owner's world only, else a wrong one. */
  setupToken: string;
}
