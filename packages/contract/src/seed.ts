/** Fixture ids for `example`; the isolation test creates one fixture per owner. */
export interface Seed {
  account: { id: string; email: string; mobile: string; password: string; bindingCode: string };
  network: { gwid: string };
  spareNetwork: { gwid: string };
  placedNetwork: { gwid: string };
  device: { serial: string; gwid: string };
  waitingDevice: { serial: string };
  unconfirmedDevice: { serial: string };
  /** Code with limits, and a pending re-enrolment. */
  bindingCode: { id: string };
  serialTransfer: { id: string };
  enrolmentRequest: { serial: string; ip: string };
  /** Two hosts use its certificate. */
  sharedDevice: { serial: string };
  view: { id: string };
  group: { id: string };
  maintenance: { id: string };
  /** Online, alone in its network, with a tool run and file. */
  toolDevice: { serial: string; gwid: string };
  tool: { id: string };
  switchDevice: { serial: string };
  plan: { id: string };
  /** With its push, and one that did not start its device. */
  template: { id: string };
  change: { id: string };
  stoppedChange: { id: string };
  /** Revision 2, version 1. */
  portalTemplate: { id: string };
  /** Has its own copy. */
  portalSitePage: { gwid: string; id: string };
  /** Password rule, and a network whose SSID `Staff` has none. */
  password: { id: string };
  passwordNetwork: { gwid: string };
  station: { mac: string };
  blockedStation: { mac: string };
  job: { id: string };
  /** Stored, and as a file with password. */
  backup: { id: string; file: { file: string; password: string } };
  firmware: { id: string; readyId: string };
  message: { id: string };
  alarm: { id: string };
  alarmRule: { id: string };
  alarmBrowser: { id: string };
  subscription: { id: string };
  report: { id: string };
  /** Requested; approved. */
  invoice: { id: string };
  invoiceTitle: { id: string };
  issuedInvoice: { id: string };
  /** Asked for by a guest. */
  fapiao: { id: string; failedId: string };
  withdrawal: { id: string };
  approvedWithdrawal: { id: string };
  radiusNas: { id: string };
  peripheral: { id: string };
  /** Online, with a shell; its open session has another key of a host. */
  remote: {
    serial: string;
    sessionId: string;
    openId: string;
    webId: string;
    fingerprint: string;
    version: number;
    linkId: string;
    linkSecret: string;
    recordedId: string;
  };
  /** Its gateway can scan; `file` imports. */
  peripheralSite: { gwid: string; id: string; file: string; cameraId: string };
  scannedSite: { gwid: string };
  /** Row of the URL whitelist; imported list. */
  shield: { allowId: string; listId: string };
  /** In the catalogue; `gwid` can run it; a new key, a trusted one without plugins. */
  plugin: {
    id: string;
    serial: string;
    installedSerial: string;
    key: string;
    spareKey: string;
    catalogue: string;
  };
  /**
   * Never deployed, of the first two of three gateways; a group without nodes, an unused strategy.
   */
  sdwan: {
    id: string;
    gwids: readonly [string, string, string];
    groupId: string;
    strategyId: string;
    orderNo: string;
    openOrderNo: string;
  };
  session: { id: string };
  /** New API token and passkey, and a passkey response. */
  token: { id: string };
  passkey: { id: string };
  newPasskey: { ticket: string; response: unknown };
  member: { id: string };
  /** Without members. */
  role: { id: string };
  invitation: { id: string; token: string };
  delegation: { id: string };
  receivedDelegation: { id: string };
  /** Without delegations to it. */
  otherAccount: { id: string; login: string };
  receivedInvitation: { token: string };
  portalNetwork: { gwid: string };
  portalSession: { id: string };
  /** A device waits on the sign-in page. */
  portalVisit: { id: string };
  portalMember: { id: string };
  voucherBatch: { id: string };
  package: { id: string };
  coupon: { id: string };
  accountCoupon: { id: string; code: string };
  cardBatch: { id: string };
  usedCard: { id: string };
  /** 10 yuan; `manualNo` awaits a manual payment. */
  order: { no: string; manualNo: string; transferNo: string };
  /** Refund that another person requested. */
  decision: { id: string };
  orphanDecision: { id: string };
  paymentException: { id: string };
  deferredItem: { id: string };
  clearing: { payoutId: string; arrivalId: string };
  qrCode: string;
  /** Unregistered logins with codes. */
  newMobile: string;
  newEmail: string;
  codes: { mobile: string; email: string };
  totpCode: string;
  log: { seq: number };
  undoable: { seq: number };
  /** Valid only in the first owner's fixture. */
  setupToken: string;
}
