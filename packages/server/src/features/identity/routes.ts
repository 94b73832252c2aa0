import { allows, identity, networksOf, permissions } from '@yunxun/contract';
import { ruleErrorOf, rules } from '@yunxun/contract/rules';
import type { Tx } from '../../platform/database/index.ts';
import { invalid } from '../../platform/failure.ts';
import { type Identity, implement, type Route } from '../../platform/http/call.ts';
import { rightsChanged } from '../../platform/live/index.ts';
import type { Storage } from '../../platform/storage.ts';
import { record, recordSignIn } from '../logs/index.ts';
import { accountOf } from './accounts.ts';
import type { SignInDeps } from './entering.ts';
import { personalization, personOf } from './people.ts';
import { createQrSignIn } from './qr.ts';
import { createReset } from './reset.ts';
import { endSession } from './sessions.ts';
import { createSignIn } from './sign-in.ts';
import { revokeToken } from './tokens.ts';

export function identityRoutes(
  deps: SignInDeps & { preparing(): object | null; storage: Pick<Storage, 'isFull'> },
): Route[] {
  const { database } = deps;
  const signIn = createSignIn(deps);
  const qr = createQrSignIn(deps, signIn.entering);
  const reset = createReset(deps);
  return implement(identity, {
    async login({ input, caller, setToken }) {
      setToken(await signIn.byPassword(input, caller));
      return {};
    },
    loginCode: ({ input, caller }) => signIn.sendSmsCode(input.mobile, caller),
    async smsLogin({ input, caller, setToken }) {
      const { mobile, sms_code: code, password, confirm_password: confirm, remember } = input;
      const weak = password ? ruleErrorOf(rules.password, password) : null;
      if (weak) invalid('password', weak.key, weak.params);
      setToken(
        await signIn.bySms(
          { mobile, code, remember, first: password ? { password, confirm: confirm ?? '' } : null },
          caller,
        ),
      );
      return {};
    },
    async smsRegister({ input, caller, setToken }) {
      const { mobile, sms_code: code, password, confirm_password: confirm, remember } = input;
      setToken(await signIn.bySmsFirst({ mobile, code, remember, first: { password, confirm } }, caller));
      return {};
    },
    registerEmailCode: ({ input, caller }) => signIn.sendEmailCode(input.email, caller),
    async registerEmail({ input, caller, setToken }) {
      const { email, email_code: code, password, confirm_password: confirm, remember } = input;
      setToken(await signIn.byEmailRegistration({ email, code, remember, first: { password, confirm } }, caller));
      return {};
    },
    async secondFactor({ input, caller, setToken }) {
      setToken(await signIn.entering.bySecondFactor(input, caller));
      return {};
    },
    passkeyOptions: () => signIn.passkeyOptions(),
    async passkeyLogin({ input, caller, setToken }) {
      setToken(await signIn.byPasskey(input, caller));
      return {};
    },
    qrCreate: ({ caller }) => qr.create(caller),
    async qrCheck({ input, caller, setToken }) {
      const { status, token } = await qr.check(input.qruuid, input.remember, caller);
      if (token) setToken(token);
      return { status };
    },
    qrLook: ({ input }) => database.withSystem((tx) => qr.look(tx, input.code)),
    async qrAnswer({ input, identity: { actor } }) {
      const person = { accountId: actor.homeAccountId, personId: actor.userId, login: actor.name };
      await database.withSystem((tx) => qr.answer(tx, input.code, person, input.accept));
      return {};
    },
    forgot: ({ input, caller }) => reset.forgot(input, caller),
    forgotCode: async ({ input }) => ({
      reset_token: await reset.byCode({ mobile: input.mobile, code: input.sms_code }),
    }),
    resetCheck: ({ input }) => reset.check(input.token),
    async reset({ input, caller }) {
      const { token, password, confirm_password: confirm } = input;
      return { login: await reset.reset({ token, password, confirm }, caller) };
    },
    user: ({ identity: person }) =>
      database.withSystem((tx) =>
        presentUser(tx, person, { preparing: deps.preparing() !== null, full: deps.storage.isFull() }),
      ),
    async logout({ identity: { actor, sessionId }, caller }) {
      const { homeAccountId: accountId, userId } = actor;
      await database.withSystem(async (tx) => {
        if (actor.token) {
          const name = await revokeToken(tx, { accountId, personId: userId }, sessionId);
          await record(
            tx,
            { accountId, userId, actor, source: 'api', ip: caller.ip },
            { action: 'person.revoke_token', object: { type: 'token', id: sessionId, name } },
          );
        } else {
          await endSession(tx, accountId, sessionId);
          await recordSignIn(tx, {
            account_id: accountId,
            person_id: userId,
            login: actor.name,
            action: 'logout',
            method: 'session',
            ip: caller.ip,
            user_agent: caller.userAgent,
            result: 'success',
            reason: null,
            new_place: false,
          });
        }
        rightsChanged(tx, deps.bus, userId);
      });
      return {};
    },
  });
}

async function presentUser(tx: Tx, { actor }: Identity, console: { preparing: boolean; full: boolean }) {
  const user = { accountId: actor.homeAccountId, personId: actor.userId };
  const person = await personOf(tx, user);
  const account = await accountOf(tx, actor.accountId);
  return {
    id: actor.userId,
    account_id: actor.accountId,
    account_name: account.name,
    home_account_id: actor.homeAccountId,
    name: person.name,
    email: person.email,
    mobile: person.mobile,
    created_at: person.created_at.toISOString(),
    qq: person.qq,
    account_code: allows(actor, 'network.bind') ? account.binding_code : null,
    sdwan_status: account.sdwan_status,
    personalization: await personalization(tx, user),
    role: actor.role,
    permissions: permissions.filter((permission) => allows(actor, permission)),
    gwids: networksOf(actor)?.slice() ?? null,
    viewing: actor.viewing,
    time_zone: person.time_zone ?? account.time_zone,
    account_time_zone: account.time_zone,
    ...(console.preparing ? { preparing: true as const } : {}),
    ...(console.full ? { storage_full: true as const } : {}),
  };
}
