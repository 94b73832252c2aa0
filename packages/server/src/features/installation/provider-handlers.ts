import type { DataOf, installation } from '@yunxun/contract';
import { smsProvider } from '@yunxun/contract/sms-providers';
import { Failure, invalid } from '../../platform/failure.ts';
import type { Caller, Handlers } from '../../platform/http/call.ts';
import { maskLogin } from '../../platform/mask-login.ts';
import { type Channel, reasonOf } from '../../platform/outbox/index.ts';
import { refusePrivateHost } from '../../platform/outgoing/address.ts';
import { record } from '../logs/index.ts';
import { type InstallationDeps, theInstallation } from './context.ts';
import type { MailSettings, SmsSettings } from './providers.ts';

type Parts = Pick<Handlers<typeof installation>, 'saveMail' | 'saveSms' | 'testMail' | 'testSms'>;
type Test = Parameters<Parts['testMail']>[0] | Parameters<Parts['testSms']>[0];

export function providerHandlers({ config, database, outbox, providers }: InstallationDeps): Parts {
  /** Bypasses the queue. @throws Failure providerFailed */
  async function test(
    { acting, input: { to }, caller }: Test,
    channel: Channel,
  ): Promise<DataOf<typeof installation.testMail>> {
    const outcome = await send(channel, to, caller.locale);
    await database.withSystem((tx) =>
      record(tx, acting, {
        action: 'installation.test_provider',
        object: theInstallation,
        command: true,
        result: outcome.failed ? 'failed' : 'success',
        after: { channel, to: maskLogin(to), answer: outcome.answer },
      }),
    );
    if (outcome.failed) {
      throw new Failure('providerFailed', { data: { reason: outcome.answer }, params: { reason: outcome.answer } });
    }
    return { answer: outcome.answer };
  }

  async function send(channel: Channel, to: string, locale: Caller['locale']) {
    try {
      return { failed: false, answer: await outbox.sendNow({ channel, to, template: 'test', params: {}, locale }) };
    } catch (error) {
      return { failed: true, answer: reasonOf(locale, (error as Error).message) };
    }
  }

  return {
    async saveMail({ acting, input: { password, ...rest } }) {
      await database.withSystem(async (tx) => {
        await providers.lock(tx, 'mail');
        const { values: before, hasSecret } = await providers.settings(tx, 'mail');
        const { provider, host, port, security, user, from } = { ...before, ...rest };
        const values: MailSettings = { provider, host: host.trim(), port, security, user, from };
        // no stored password for another server or user
        const keeps = hasSecret && before.host === values.host && before.user === user;
        if (provider === 'smtp') {
          if (!values.host) invalid('host', 'validation.required');
          if (!config.privateSmtp) refusePrivateHost('host', values.host, 'validation.privateSmtp');
          if (!from) invalid('from', 'validation.required');
          if (user && password === undefined && !keeps) invalid('password', 'validation.required');
        }
        await providers.save(tx, 'mail', values, user ? (password ?? (keeps ? undefined : null)) : null);
        await record(tx, acting, {
          action: 'installation.save_mail',
          object: theInstallation,
          before,
          after: { ...values, new_password: password !== undefined },
        });
      });
      return {};
    },

    async saveSms({ acting, input: { secret, ...rest } }) {
      await database.withSystem(async (tx) => {
        await providers.lock(tx, 'sms');
        const { values: before, hasSecret } = await providers.settings(tx, 'sms');
        const { provider, key_id, sender, app_id, region, templates } = { ...before, ...rest };
        // providers reject empty codes
        const given = Object.entries({ ...before.templates, ...templates }).filter(([, code]) => code);
        const values: SmsSettings = { provider, key_id, sender, app_id, region, templates: Object.fromEntries(given) };
        const keeps = hasSecret && before.provider === provider && before.key_id === key_id;
        for (const field of smsProvider(provider).fields) if (!values[field]) invalid(field, 'validation.required');
        if (provider !== 'outbox' && secret === undefined && !keeps) invalid('secret', 'validation.required');
        await providers.save(tx, 'sms', values, secret ?? (keeps ? undefined : null));
        await record(tx, acting, {
          action: 'installation.save_sms',
          object: theInstallation,
          before,
          after: { ...values, new_secret: secret !== undefined },
        });
      });
      return {};
    },

    testMail: (call) => test(call, 'email'),
    testSms: (call) => test(call, 'sms'),
  };
}
