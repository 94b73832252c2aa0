/** Ids of the test world that `example` inputs refer to; the isolation test makes one world per owner. */
export interface World {
  account: { id: string; email: string; mobile: string; password: string; bindingCode: string };
  network: { gwid: string };
  spareNetwork: { gwid: string };
  /** A network with a place on the map. */
  placedNetwork: { gwid: string };
  device: { serial: string; gwid: string };
  waitingDevice: { serial: string };
  /** A saved view of the owner, and a group that the device is in. */
  view: { id: string };
  group: { id: string };
  /** A device that is online, in a network of its own, and a use of a tool on the device, with the file that it brought. */
  toolDevice: { serial: string; gwid: string };
  tool: { id: string };
  /** A proposed plan of channels, with a change of the device's radio. */
  plan: { id: string };
  /** A template that a push brought to the device, the push, and one whose device was not begun. */
  template: { id: string };
  change: { id: string };
  stoppedChange: { id: string };
  /** A rule that changes a Wi-Fi password, and a network with an SSID `Staff` that none changes. */
  password: { id: string };
  passwordNetwork: { gwid: string };
  /** A terminal at the device, by its MAC, and one that is blocked. */
  station: { mac: string };
  blockedStation: { mac: string };
  job: { id: string };
  /** A backup of the network's settings, and one as a file with its password. */
  backup: { id: string; file: { file: string; password: string } };
  /** An image whose upload is to be ended, and one that devices can be upgraded to. */
  firmware: { id: string; readyId: string };
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
