import {
  changeRole,
  createRole,
  deleteRole,
  knownRoles,
  listRoles,
  lockRole,
  membersWithRole,
  readRole,
  roleNames,
} from './account-roles.ts';
import {
  accountOf,
  accountZones,
  addBindingCode,
  changeAccount,
  findBindingCode,
  findPerson,
  openAccounts,
  removeBindingCode,
  replaceBindingCode,
} from './accounts.ts';
import {
  countAccounts,
  endSessionsOfAccount,
  knownAccounts,
  listAccounts,
  namesOfAccounts,
  openAccountIds,
  ownerOf,
  setLocked,
  setSdwan,
} from './all-accounts.ts';
import { actorIn } from './authenticator.ts';
import { contactsOf, membersAmong } from './contacts.ts';
import { refuseClosed } from './entering.ts';
import {
  accountOwnedBy,
  changeDelegation,
  createDelegation,
  delegationsOf,
  forgetNetworkOfDelegations,
  hostedNetworks,
  hostingById,
  hostingsById,
  knownDelegations,
  lockDelegation,
  revokeDelegation,
} from './hosting.ts';
import {
  administratorAccounts,
  administrators,
  administratorsOf,
  bindLogin,
  makeAdministrator,
  personalization,
  personOf,
  savePersonalization,
  saveSelf,
  setPassword,
  setWithdrawalPassword,
  timeZoneOf,
} from './people.ts';
import {
  addMember,
  changeMember,
  decidersOf,
  forgetNetworkOfMembers,
  grantorsOf,
  isMember,
  knownMembers,
  lockMember,
  memberName,
  membershipsOf,
  membersOf,
  removeMember,
} from './rights.ts';
import {
  endSession,
  endSessionsOf,
  knownSessions,
  markSession,
  ownsSession,
  renewSession,
  sessionsOf,
} from './sessions.ts';
import { isSignedInFrom } from './signed-in-addresses.ts';
import { createToken, forgetNetworkOfTokens, knownTokens, revokeToken, tokensOf } from './tokens.ts';

export type { Contact } from './contacts.ts';
export { createIdentity, type IdentityService } from './service.ts';

export const accounts = {
  accountOf,
  accountZones,
  openAccounts,
  changeAccount,
  countAccounts,
  endSessionsOfAccount,
  knownAccounts,
  listAccounts,
  namesOfAccounts,
  openAccountIds,
  ownerOf,
  setLocked,
  setSdwan,
  refuseClosed,
};

export const bindingCodes = { addBindingCode, findBindingCode, removeBindingCode, replaceBindingCode };

export const people = {
  findPerson,
  administratorAccounts,
  administrators,
  administratorsOf,
  bindLogin,
  makeAdministrator,
  personOf,
  personalization,
  savePersonalization,
  saveSelf,
  setPassword,
  setWithdrawalPassword,
  timeZoneOf,
};

export const members = {
  actorIn,
  contactsOf,
  membersAmong,
  addMember,
  changeMember,
  decidersOf,
  forgetNetworkOfMembers,
  grantorsOf,
  isMember,
  knownMembers,
  lockMember,
  memberName,
  membersOf,
  membershipsOf,
  removeMember,
};

export const roles = {
  changeRole,
  createRole,
  deleteRole,
  knownRoles,
  listRoles,
  lockRole,
  membersWithRole,
  readRole,
  roleNames,
};

export const delegations = {
  accountOwnedBy,
  changeDelegation,
  createDelegation,
  delegationsOf,
  forgetNetworkOfDelegations,
  hostedNetworks,
  hostingById,
  hostingsById,
  knownDelegations,
  lockDelegation,
  revokeDelegation,
};

export const sessions = {
  endSession,
  endSessionsOf,
  knownSessions,
  markSession,
  ownsSession,
  renewSession,
  sessionsOf,
  isSignedInFrom,
};

export const tokens = { createToken, forgetNetworkOfTokens, knownTokens, revokeToken, tokensOf };
