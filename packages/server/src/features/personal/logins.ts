import { limits, type personal } from '@yunxun/contract';
import type { Tx } from '../../platform/database/index.ts';
import { Failure } from '../../platform/failure.ts';
import type { Handlers, Identity } from '../../platform/http/call.ts';
import { findPerson } from '../identity/accounts.ts';
import { type CodeTarget, checkCode, consumeCode, sendCode } from '../identity/codes.ts';
import { maskLogin } from '../identity/mask.ts';
import { bindLogin, type PersonKey, personOf } from '../identity/people.ts';
import { markSession, mobileCheckedAt } from '../identity/sessions.ts';
import { record } from '../logs/audit.ts';
import { type PersonalDeps, personIn, selfIn, warn } from './context.ts';

type Parts = Pick<Handlers<typeof personal>, 'mobileCode' | 'mobileCheck' | 'saveMobile' | 'emailCode' | 'saveEmail'>;
type Kind = 'mobile' | 'email';

/** Changing what a person signs in with. Each step of the three-step dialog is checked again by the next. */
export function loginHandlers(deps: PersonalDeps): Parts {
  const { database, clock, outbox } = deps;

  /** @throws Failure mobileMismatch unless this session named the bound mobile a moment ago, or there is none */
  async function needMobileCheck(tx: Tx, who: PersonKey, sessionId: string): Promise<void> {
    const { mobile } = await personOf(tx, who);
    if (mobile === null) return;
    const at = await mobileCheckedAt(tx, who.accountId, sessionId);
    const holds = at !== null && at.getTime() + limits.confirmMinutes * 60_000 > clock.now().getTime();
    if (!holds) throw new Failure('mobileMismatch');
  }

  /** Tells an address that it was put in, or out of, use. */
  async function tell(tx: Tx, who: PersonKey, kind: Kind, to: string, now: string): Promise<void> {
    const { locale } = await personOf(tx, who);
    const params = { [kind]: maskLogin(now) };
    const [channel, template] =
      kind === 'mobile' ? (['sms', 'mobileChanged'] as const) : (['email', 'emailChanged'] as const);
    await outbox.queue(tx, { accountId: who.accountId, channel, to, template, params, locale });
  }

  /** Binds what a code was sent to. @throws Failure wrongCode, loginNameTaken, mobileMismatch */
  async function bind(
    call: { identity: Identity; acting: Parameters<typeof record>[1] },
    to: CodeTarget,
    kind: Kind,
    code: string,
  ): Promise<void> {
    const who = personIn(call.identity);
    const check = (tx: Tx) =>
      kind === 'mobile' ? needMobileCheck(tx, who, call.identity.sessionId) : Promise.resolve();
    await database.withSystem(check);
    await checkCode(database, clock, to, code);
    await database.withSystem(async (tx) => {
      await check(tx);
      await consumeCode(tx, to, code);
      const before = (await personOf(tx, who))[kind];
      await bindLogin(tx, who, kind, to.target);
      // a second change starts at its first step
      if (kind === 'mobile') {
        await markSession(tx, who.accountId, call.identity.sessionId, { mobile_checked_at: null });
      }
      await record(tx, call.acting, {
        action: kind === 'mobile' ? 'person.change_mobile' : 'person.change_email',
        object: selfIn(call.identity),
        before: { [kind]: before && maskLogin(before) },
        after: { [kind]: maskLogin(to.target) },
      });
      for (const address of before === null ? [to.target] : [before, to.target]) {
        await tell(tx, who, kind, address, to.target);
      }
      const masked = maskLogin(to.target);
      if (kind === 'mobile') await warn(tx, deps, who, 'mobileChanged', { mobile: masked });
      else await warn(tx, deps, who, 'emailChanged', { email: masked });
    });
    await outbox.flush();
  }

  return {
    async mobileCode({ identity, input: { mobile }, caller }) {
      await database.withSystem(async (tx) => {
        await needMobileCheck(tx, personIn(identity), identity.sessionId);
        await refuseTaken(tx, 'mobile', mobile);
      });
      return sendCode(deps, mobileTarget(mobile), caller);
    },
    async mobileCheck({ tx, identity, input }) {
      const who = personIn(identity);
      const { mobile } = await personOf(tx, who);
      if (mobile !== null && mobile !== input.mobile) throw new Failure('mobileMismatch');
      await markSession(tx, who.accountId, identity.sessionId, { mobile_checked_at: clock.now() });
      return {};
    },
    async saveMobile({ identity, acting, input: { mobile, sms_code: code } }) {
      await bind({ identity, acting }, mobileTarget(mobile), 'mobile', code);
      return { mobile };
    },
    async emailCode({ input: { email }, caller }) {
      const to = emailTarget(email);
      await database.withSystem((tx) => refuseTaken(tx, 'email', to.target));
      return sendCode(deps, to, caller);
    },
    async saveEmail({ identity, acting, input: { email, email_code: code } }) {
      const to = emailTarget(email);
      await bind({ identity, acting }, to, 'email', code);
      return { email: to.target };
    },
  };
}

/** @throws Failure loginNameTaken */
async function refuseTaken(tx: Tx, kind: Kind, value: string): Promise<void> {
  if (await findPerson(tx, kind, value)) throw new Failure('loginNameTaken');
}

const mobileTarget = (mobile: string): CodeTarget => ({ channel: 'sms', target: mobile, purpose: 'change_mobile' });
const emailTarget = (email: string): CodeTarget => ({
  channel: 'email',
  target: email.toLowerCase(),
  purpose: 'change_email',
});
