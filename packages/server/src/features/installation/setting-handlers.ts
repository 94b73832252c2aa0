import { readFileSync } from 'node:fs';
import { installation } from '@yunxun/contract';
import { catalogues } from '@yunxun/contract/messages';
import type { Tx } from '../../platform/database/index.ts';
import type { Handlers } from '../../platform/http/call.ts';
import { maskLogin } from '../../platform/mask-login.ts';
import { reasonOf } from '../../platform/outbox/index.ts';
import { placeholdersOf } from '../../platform/outbox/sms.ts';
import { readRetention, setRetention } from '../../telemetry/retention.ts';
import { accounts, people } from '../identity/index.ts';
import { record } from '../logs/index.ts';
import { authoritiesIn, endOf, endOfFile } from './certificates.ts';
import { type InstallationDeps, theInstallation } from './context.ts';
import { registrationOpen, writeSetting } from './settings.ts';

type Parts = Pick<Handlers<typeof installation>, 'detail' | 'saveRegistration' | 'saveRetention'>;

export function settingHandlers(deps: InstallationDeps): Parts {
  const { database, outbox, providers, mapTiles, config, device, authority, version } = deps;
  // as read at the start: a newer file applies after a restart
  const tlsEnds = config.tls && endOfFile(config.tls.certFile);
  const authorities = [
    ...authoritiesIn(authority.certificate, true),
    ...config.deviceClientCas.flatMap((file) => authoritiesIn(readFileSync(file, 'utf8'), false)),
  ];

  return {
    async detail({ caller }) {
      const { waiting, failed, recent } = await outbox.troubles();
      return database.withSystem(async (tx) => {
        const mail = await providers.settings(tx, 'mail');
        const sms = await providers.settings(tx, 'sms');
        const admins = await people.administrators(tx);
        const byAddress = config.adminEmail?.toLowerCase();
        if (byAddress && !admins.includes(byAddress) && (await people.findPerson(tx, 'email', byAddress)))
          admins.push(byAddress);
        return {
          version,
          registration_open: await registrationOpen(tx),
          public_url: config.publicUrl,
          tls: caller.tls,
          tls_expires_at: caller.tls === 'console' ? tlsEnds : null,
          device: {
            host: device.host,
            port: device.port,
            names: [...authority.serverNames],
            certificate_expires_at: endOf(authority.server.certificate),
            authorities,
          },
          mail: { ...mail.values, has_password: mail.hasSecret },
          sms: { ...sms.values, has_secret: sms.hasSecret },
          sms_letters: installation.smsTemplates.map((template) => ({
            template,
            text: catalogues['zh-CN'][`sms.${template}`],
            values: placeholdersOf(template),
          })),
          accounts: await accounts.countAccounts(tx),
          administrators: admins,
          map: await mapTiles.settings(tx),
          retention: await retentionRows(tx),
          outbox_waiting: waiting,
          outbox_failed: failed,
          outbox_troubles: recent.map((row) => ({
            at: row.created_at.toISOString(),
            channel: row.channel,
            to: maskLogin(row.recipient),
            template: row.template,
            reason: reasonOf(caller.locale, row.error ?? ''),
            attempts: row.attempts,
            given_up: row.failed_at !== null,
          })),
        };
      });
    },

    async saveRegistration({ acting, input: { open } }) {
      await database.withSystem(async (tx) => {
        const before = await registrationOpen(tx);
        await writeSetting(tx, 'registration_open', open);
        await record(tx, acting, {
          action: open ? 'installation.open_registration' : 'installation.close_registration',
          object: theInstallation,
          before: { open: before },
          after: { open },
          inverse: { path: '/api/v3/install/registration', input: { open: before } },
        });
      });
      return { open };
    },

    async saveRetention({ acting, input }) {
      await database.withSystem(async (tx) => {
        const before = await readRetention(tx);
        const asked = installation.retentionKinds.filter((kind) => input[kind] !== undefined);
        for (const kind of asked) await setRetention(tx, kind, input[kind]!);
        const reported = (days: typeof input) =>
          Object.fromEntries(asked.map((kind) => [`retention_${kind}`, days[kind]]));
        await record(tx, acting, {
          action: 'installation.save_retention',
          object: theInstallation,
          before: reported(before),
          after: reported(input),
        });
      });
      return {};
    },
  };
}

async function retentionRows(tx: Tx) {
  const days = await readRetention(tx);
  return installation.retentionKinds.map((kind) => {
    const [min, max] = installation.retentionLimits[kind];
    return { kind, days: days[kind], min, max };
  });
}
