import type { PersonKey } from '../../platform/acting.ts';
import type { Tx } from '../../platform/database/index.ts';
import type { Route } from '../../platform/http/call.ts';
import type { Storage } from '../../platform/storage.ts';
import { createAuthenticator } from './authenticator.ts';
import { type CodeCaller, type CodeTarget, checkCode, consumeCode, sendCode } from './codes.ts';
import { createConfirmation } from './confirmation.ts';
import type { SignInDeps } from './entering.ts';
import { createExpiry } from './expiry.ts';
import {
  beginPasskey,
  deletePasskey,
  keepPasskey,
  knownPasskeys,
  passkeysOf,
  relyingPartyOf,
  takeChallenge,
} from './passkeys.ts';
import { createReset } from './reset.ts';
import { identityRoutes } from './routes.ts';
import {
  beginTotp,
  disableTotp,
  enableTotp,
  hasSecondFactor,
  recoveryCodesLeft,
  renewRecoveryCodes,
} from './second-factor.ts';
import { createWithdrawalProof } from './withdrawal-password.ts';

export interface IdentityDeps extends Omit<SignInDeps, 'rp'> {
  adminEmail: string | null;
  preparing(): object | null;
  storage: Pick<Storage, 'isFull'>;
}

export function createIdentity(deps: IdentityDeps) {
  const { database, clock, keys } = deps;
  const rp = relyingPartyOf(deps.publicUrl);
  const signIn = { ...deps, rp };
  return {
    routes: (): Route[] => identityRoutes(signIn),
    ...createExpiry({ database, clock }),
    authenticate: createAuthenticator(database, clock, deps.adminEmail),
    reset: createReset(signIn),
    codes: {
      send: (to: CodeTarget, caller: CodeCaller) => sendCode(deps, to, caller),
      check: (to: CodeTarget, code: string) => checkCode(database, clock, to, code),
      consume: consumeCode,
    },
    confirm: createConfirmation(deps),
    proveWithdrawal: createWithdrawalProof(deps),
    passkeys: {
      list: passkeysOf,
      known: knownPasskeys,
      begin: (tx: Tx, person: PersonKey, names: { login: string; name: string }) =>
        beginPasskey(tx, rp, person, names, clock.now()),
      takeChallenge: (tx: Tx, person: PersonKey, ticket: string) => takeChallenge(tx, person, ticket, clock.now()),
      keep: (tx: Tx, person: PersonKey, made: { challenge: string; response: unknown; name: string }) =>
        keepPasskey(tx, rp, person, made, clock.now()),
      remove: deletePasskey,
    },
    secondFactor: {
      isOn: hasSecondFactor,
      begin: (tx: Tx, person: PersonKey, login: string) => beginTotp(tx, keys, person, login),
      enable: (tx: Tx, person: PersonKey, code: string) => enableTotp(tx, keys, person, code, clock.now()),
      disable: disableTotp,
      codesLeft: recoveryCodesLeft,
      renewCodes: renewRecoveryCodes,
    },
  };
}

export type IdentityService = ReturnType<typeof createIdentity>;
