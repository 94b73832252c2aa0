import { allows, identity, permissions } from '@yunxun/contract';
import { rules } from '@yunxun/contract/rules';
import { type Tx, tables } from '../../platform/database/index.ts';
import { invalid } from '../../platform/failure.ts';
import { type Identity, implement, type Route } from '../../platform/http/call.ts';
import { record, recordSignIn } from '../logs/audit.ts';
import { replaceBindingCode } from './accounts.ts';
import type { CodeDeps } from './codes.ts';
import { claim, hasAdministrator, registrationOpen } from './installation.ts';
import { endSession } from './sessions.ts';
import { createSignIn } from './sign-in.ts';
import type { IdentityTables } from './tables.ts';

/** Sign-in, registration, the signed-in person, and the installation's first administrator. */
export function identityRoutes(deps: CodeDeps & { version: string }): Route[] {
  const { database, outbox } = deps;
  const signIn = createSignIn(deps);
  return implement(identity, {
    async login({ input, caller, setToken }) {
      setToken(await signIn.byPassword(input, caller));
      return {};
    },
    loginCode: ({ input, caller }) => signIn.sendSmsCode(input.mobile, caller),
    async smsLogin({ input, caller, setToken }) {
      const { mobile, sms_code: code, password, confirm_password: confirm, remember } = input;
      if (password && !rules.password.test(password)) invalid('password', 'validation.password');
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
    user: ({ identity: who }) => database.withSystem((tx) => presentUser(tx, who)),
    async logout({ identity: who, caller }) {
      await database.withSystem(async (tx) => {
        await endSession(tx, who.actor.homeAccountId, who.sessionId);
        await recordSignIn(tx, {
          account_id: who.actor.homeAccountId,
          person_id: who.actor.userId,
          login: who.actor.name,
          action: 'logout',
          method: 'session',
          ip: caller.ip,
          user_agent: caller.userAgent,
          result: 'success',
          reason: null,
        });
      });
      return {};
    },
    rotateBindingCode: ({ acting }) =>
      database.withSystem(async (tx) => {
        const code = await replaceBindingCode(tx, acting.accountId);
        await record(tx, acting, {
          action: 'account.rotate_binding_code',
          object: { type: 'account', id: acting.accountId, name: acting.actor!.name },
        });
        return { account_code: code };
      }),
    savePersonalization: ({ identity: who, acting, input }) =>
      database.withSystem(async (tx) => {
        const { actor } = who;
        const db = tables<IdentityTables>(tx);
        const before = await personalization(tx, who);
        // named one by one: the input may hold more than the contract knows
        const { theme, home_section } = input;
        if (theme || home_section) {
          await db
            .updateTable('person')
            .set({ ...(theme && { theme }), ...(home_section && { home_section }) })
            .where('account_id', '=', actor.homeAccountId)
            .where('id', '=', actor.userId)
            .execute();
        }
        const after = await personalization(tx, who);
        await record(
          tx,
          { ...acting, accountId: actor.homeAccountId },
          {
            action: 'person.personalize',
            object: { type: 'person', id: actor.userId, name: actor.name },
            before,
            after,
          },
        );
        return after;
      }),
    installationState: () =>
      database.withSystem(async (tx) => ({
        registration_open: await registrationOpen(tx),
        outbox: outbox.toFile,
        has_administrator: await hasAdministrator(tx),
        version: deps.version,
      })),
    claimInstallation: ({ identity: who, acting, input }) =>
      database.withSystem(async (tx) => {
        const { actor } = who;
        await claim(tx, input.token, actor.userId);
        await record(
          tx,
          { ...acting, accountId: actor.homeAccountId },
          {
            action: 'installation.claim',
            object: { type: 'installation', id: 'installation', name: 'Yunxun' },
          },
        );
        return {};
      }),
  });
}

async function personalization(tx: Tx, { actor }: Identity) {
  return tables<IdentityTables>(tx)
    .selectFrom('person')
    .select(['theme', 'home_section'])
    .where('account_id', '=', actor.homeAccountId)
    .where('id', '=', actor.userId)
    .executeTakeFirstOrThrow();
}

async function presentUser(tx: Tx, { actor }: Identity) {
  const db = tables<IdentityTables>(tx);
  const person = await db
    .selectFrom('person')
    .selectAll()
    .where('account_id', '=', actor.homeAccountId)
    .where('id', '=', actor.userId)
    .executeTakeFirstOrThrow();
  const account = await db
    .selectFrom('account')
    .selectAll()
    .where('account_id', '=', actor.accountId)
    .executeTakeFirstOrThrow();
  return {
    id: actor.userId,
    account_id: actor.accountId,
    email: person.email,
    mobile: person.mobile,
    created_at: person.created_at.toISOString(),
    qq: person.qq,
    account_code: allows(actor, 'network.bind') ? account.binding_code : null,
    sdwan_status: account.sdwan_status,
    personalization: { theme: person.theme, home_section: person.home_section },
    role: actor.role,
    permissions: permissions.filter((permission) => allows(actor, permission)),
    time_zone: account.time_zone,
  };
}
