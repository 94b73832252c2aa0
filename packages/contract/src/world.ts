/** Ids of the test world that `example` inputs refer to; the isolation test makes one world per owner. */
export interface World {
  account: { id: string; email: string; mobile: string; password: string; bindingCode: string };
  network: { gwid: string };
  spareNetwork: { gwid: string };
  device: { serial: string; gwid: string };
  waitingDevice: { serial: string };
  job: { id: string };
  message: { id: string };
  session: { id: string };
  log: { seq: number };
  /** The installation's one-time set-up token; the first owner's world only, else a wrong one. */
  setupToken: string;
}
