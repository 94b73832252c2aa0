import type { personal } from '@yunxun/contract';
import type { PersonKey } from '../../platform/acting.ts';
import type { Tx } from '../../platform/database/index.ts';
import { Failure } from '../../platform/failure.ts';
import type { Handlers, Identity } from '../../platform/http/call.ts';
import { maskLogin } from '../../platform/mask-login.ts';
import { type IdentityService, people } from '../identity/index.ts';
import { record } from '../logs/index.ts';
import { type PersonalDeps, personIn, selfIn, warn } from './context.ts';

type Parts = Pick<Handlers<typeof personal>, 'mobileCode' | 'mobileCheck' | 'saveMobile' | 'emailCode' | 'saveEmail'>;
type Kind = 'mobile' | 'email';
type CodeTarget = Parameters<IdentityService['codes']['send']>[0];

/** Changes logins; the endpoints require a recent confirmation. */
export function loginHandlers(deps: PersonalDeps): Parts {
  const { database, outbox } = deps;
  const { codes } = deps.identity;

  /** Notifies an address that it became, or stopped being, a login. */
  async function tell(tx: Tx, person: PersonKey, kind: Kind, to: string, now: string): Promise<void> {
    const { locale } = await people.personOf(tx, person);
    const params = { [kind]: maskLogin(now) };
    const [channel, template] =
      kind === 'mobile' ? (['sms', 'mobileChanged'] as const) : (['email', 'emailChanged'] as const);
    await outbox.queue(tx, { accountId: person.accountId, channel, to, template, params, locale });
  }

  /** @throws Failure wrongCode, loginNameTaken */
  async function bind(
    call: { identity: Identity; acting: Parameters<typeof record>[1] },
    to: CodeTarget,
    kind: Kind,
    code: string,
  ): Promise<void> {
    const person = personIn(call.identity);
    await codes.check(to, code);
    await database.withSystem(async (tx) => {
      await codes.consume(tx, to, code);
      const before = (await people.personOf(tx, person))[kind];
      await people.bindLogin(tx, person, kind, to.target);
      await record(tx, call.acting, {
        action: kind === 'mobile' ? 'person.change_mobile' : 'person.change_email',
        object: selfIn(call.identity),
        before: { [kind]: before && maskLogin(before) },
        after: { [kind]: maskLogin(to.target) },
      });
      for (const address of before === null ? [to.target] : [before, to.target]) {
        await tell(tx, person, kind, address, to.target);
      }
      const masked = maskLogin(to.target);
      if (kind === 'mobile') await warn(tx, deps, person, 'mobileChanged', { mobile: masked });
      else await warn(tx, deps, person, 'emailChanged', { email: masked });
    });
    await outbox.flush();
  }

  return {
    async mobileCode({ input: { mobile }, caller }) {
      await database.withSystem((tx) => refuseTaken(tx, 'mobile', mobile));
      return codes.send(mobileTarget(mobile), caller);
    },
    async mobileCheck({ tx, identity, input }) {
      const { mobile } = await people.personOf(tx, personIn(identity));
      if (mobile !== null && mobile !== input.mobile) throw new Failure('mobileMismatch');
      return {};
    },
    async saveMobile({ identity, acting, input: { mobile, sms_code: code } }) {
      await bind({ identity, acting }, mobileTarget(mobile), 'mobile', code);
      return { mobile };
    },
    async emailCode({ input: { email }, caller }) {
      const to = emailTarget(email);
      await database.withSystem((tx) => refuseTaken(tx, 'email', to.target));
      return codes.send(to, caller);
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
  if (await people.findPerson(tx, kind, value)) throw new Failure('loginNameTaken');
}

const mobileTarget = (mobile: string): CodeTarget => ({ channel: 'sms', target: mobile, purpose: 'change_mobile' });
const emailTarget = (email: string): CodeTarget => ({
  channel: 'email',
  target: email.toLowerCase(),
  purpose: 'change_email',
});
