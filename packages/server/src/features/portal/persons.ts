import { randomBytes } from 'node:crypto';
import { type portalPrivacy as contract, type DataOf, type InputOf, portalTemplates } from '@yunxun/contract';
import { isMobile, typedMobile } from '@yunxun/contract/typed-text';
import { type RawBuilder, sql } from 'kysely';
import type { Acting } from '../../platform/acting.ts';
import { requireWholeAccount } from '../../platform/acting.ts';
import type { AccountKeys } from '../../platform/crypto/account-keys.ts';
import type { Tx } from '../../platform/database/index.ts';
import { invalid } from '../../platform/failure.ts';
import { fleetNetworks } from '../fleet/index.ts';
import { record } from '../logs/index.ts';
import type { SmsSender } from '../sms/index.ts';
import { macOf } from './adapters/adapter.ts';
import type { GuestInvoices } from './payments/guest-invoices.ts';
import { voidMembers } from './radius/proof-voids.ts';
import { eraseTries, type TriesOf, visitsOfPerson } from './reception/person-tries.ts';
import { triedHashes } from './reception/tried.ts';
import type { PortalSecrets } from './secrets.ts';
import { openIdentity } from './session-history.ts';
import { isHashed } from './session-search.ts';
import { portal } from './tables.ts';
import { termsById } from './terms-store.ts';

type Contract = typeof contract;
type Asked = InputOf<Contract['personExport']>;

interface Person {
  name: string;
  sessions: RawBuilder<boolean>;
  phoneHash: Buffer | null;
  /** Of requests that became no session. */
  deviceKey: Buffer | null;
  account: string | null;
}

const maxSessions = 10_000;

export interface PersonDeps {
  keys: AccountKeys;
  secrets: PortalSecrets;
  sms: Pick<SmsSender, 'forget'>;
  guestInvoices: Pick<GuestInvoices, 'export' | 'erase'>;
}

export function createPersons({ keys, secrets, sms, guestInvoices }: PersonDeps) {
  /** @throws Invalid beside `value` */
  async function personOf(tx: Tx, accountId: string, { kind, value }: Asked): Promise<Person> {
    const text = value.trim();
    if (kind === 'phone') {
      const phone = typedMobile(text);
      if (!isMobile(phone)) return invalid('value', 'validation.mobile');
      const phoneHash = secrets.hash(accountId, 'phone', phone);
      const name = `${phone.slice(0, 3)}****${phone.slice(-4)}`;
      return { name, sessions: isHashed([phoneHash]), phoneHash, deviceKey: null, account: null };
    }
    if (kind === 'mac') {
      const mac = macOf(text);
      if (mac === null) return invalid('value', 'validation.mac');
      const deviceKey = secrets.hash(accountId, 'device', mac);
      return { name: mac, sessions: sql<boolean>`mac = ${mac}`, phoneHash: null, deviceKey, account: null };
    }
    if (kind === 'login') return loginOf(tx, accountId, text);
    const sessions = sql<boolean>`method = 'account' and lower(identity) = ${text.toLowerCase()}`;
    return { name: text, sessions, phoneHash: null, deviceKey: null, account: text.toLowerCase() };
  }

  /** Finds by verified address or number, else by subject or shown name. @throws Invalid if several guests have it */
  async function loginOf(tx: Tx, accountId: string, text: string): Promise<Person> {
    const email = secrets.hash(accountId, 'login_email', text.toLowerCase());
    const subject = secrets.hash(accountId, 'login_subject', text);
    const number = secrets.hash(accountId, 'phone', typedMobile(text));
    const rank = sql<number>`case when login_names && ${[email, number]}::bytea[] then 2 when ${subject} = any (login_names) then 1
      when lower(identity) = ${text.toLowerCase()} then 0 end`;
    const rows = await portal(tx)
      .selectFrom('portal_session')
      .select(['identity_hash', 'identity', rank.as('rank')])
      .distinct()
      .where('account_id', '=', accountId)
      .where('method', 'in', [...portalTemplates.loginMethods])
      .where(sql<boolean>`${rank} is not null`)
      .execute();
    const best = Math.max(...rows.map((row) => row.rank));
    const found = rows.filter((row) => row.rank === best);
    const hashes = [...new Set(found.map((row) => row.identity_hash!.toString('hex')))];
    if (best < 2 && hashes.length > 1) invalid('value', 'validation.severalGuests');
    const sessions = sql<boolean>`identity_hash = any (${hashes.map((hash) => Buffer.from(hash, 'hex'))}::bytea[])`;
    return { name: found[0]?.identity ?? 'login', sessions, phoneHash: null, deviceKey: null, account: null };
  }

  const sessionsOf = (tx: Tx, accountId: string, person: Person) =>
    portal(tx).selectFrom('portal_session').where('account_id', '=', accountId).where(person.sessions);

  /** Of what is typed, numbers and accounts name a guest. */
  const triesOf = (accountId: string, { kind, value }: Asked, person: Person, deviceKey: Buffer | null): TriesOf => ({
    accountId,
    sessions: person.sessions,
    deviceKey,
    subjects: kind === 'phone' || kind === 'account' ? triedHashes(secrets, accountId, value) : [],
  });

  async function devicesOf(tx: Tx, accountId: string, person: Person, ended: boolean): Promise<Buffer[]> {
    const sessions = sessionsOf(tx, accountId, person).select('device_key').distinct();
    const rows = await (ended ? sessions.where('state', '=', 'ended') : sessions).execute();
    return [...rows.map((row) => row.device_key), ...(person.deviceKey ? [person.deviceKey] : [])];
  }

  const object = ({ name }: Person) => ({ type: 'portal_guest' as const, id: name, name });

  return {
    async export(tx: Tx, acting: Acting, asked: Asked): Promise<DataOf<Contract['personExport']>> {
      requireWholeAccount(acting, 'user.write');
      const { accountId } = acting;
      const person = await personOf(tx, accountId, asked);
      const rows = await sessionsOf(tx, accountId, person)
        .selectAll()
        .orderBy('made_at', 'desc')
        .limit(maxSessions)
        .execute();
      const codes = person.phoneHash
        ? await portal(tx)
            .selectFrom('portal_sms')
            .select(['gwid', 'at'])
            .where('account_id', '=', accountId)
            .where('phone_hash', '=', person.phoneHash)
            .orderBy('at', 'desc')
            .execute()
        : [];
      const accounts = person.account
        ? await portal(tx)
            .selectFrom('portal_member')
            .select(['id', 'gwid', 'name', 'last_at'])
            .where('account_id', '=', accountId)
            .where('name_key', '=', person.account)
            .execute()
        : [];
      const requests = await portal(tx)
        .selectFrom('portal_sponsor_request')
        .select(['gwid', 'guest', 'sponsor', 'state', 'at'])
        .where('account_id', '=', accountId)
        .where((where) =>
          where.or([
            where('device_key', 'in', sessionsOf(tx, accountId, person).select('device_key')),
            where('device_key', '=', person.deviceKey ?? Buffer.alloc(0)),
          ]),
        )
        .orderBy('at', 'desc')
        .execute();
      const visits = await visitsOfPerson(tx, triesOf(accountId, asked, person, person.deviceKey));
      const devices = await devicesOf(tx, accountId, person, false);
      const invoices = await guestInvoices.export(tx, accountId, devices);
      const gwids = [...rows, ...codes, ...accounts, ...requests, ...visits].map(({ gwid }) => gwid);
      const names = await fleetNetworks.names(tx, accountId, [...new Set(gwids)]);
      const terms = await termsById(tx, accountId, [...new Set(rows.flatMap((row) => row.terms_id ?? []))]);
      const sessions: DataOf<Contract['personExport']>['sessions'] = [];
      for (const row of rows) {
        const { method, mac, ip, up_bytes, down_bytes } = row;
        const accepted = row.terms_id ? terms.get(row.terms_id) : undefined;
        sessions.push({
          network: names.get(row.gwid) ?? '',
          method,
          mac,
          ip,
          up_bytes,
          down_bytes,
          identity: await openIdentity(tx, keys, row),
          made_at: row.made_at.toISOString(),
          granted_at: row.granted_at?.toISOString() ?? null,
          ended_at: row.ended_at?.toISOString() ?? null,
          terms: accepted ? { version: accepted.version, locale: accepted.locale, text: accepted.text } : null,
        });
      }
      await record(tx, acting, {
        action: 'portal.person_export',
        object: object(person),
        after: { kind: asked.kind, sessions: rows.length },
        command: true,
      });
      return {
        sessions,
        invoices,
        codes: codes.map(({ gwid, at }) => ({ network: names.get(gwid) ?? '', sent_at: at.toISOString() })),
        accounts: accounts.map(({ id, gwid, name, last_at }) => ({
          id,
          network: names.get(gwid) ?? '',
          name,
          last_at: last_at?.toISOString() ?? null,
        })),
        requests: requests.map(({ gwid, guest, sponsor, state, at }) => ({
          network: names.get(gwid) ?? '',
          guest,
          sponsor,
          state,
          asked_at: at.toISOString(),
        })),
        visits: visits.map(({ gwid, at, ...visit }) => ({
          network: names.get(gwid) ?? '',
          at: at.toISOString(),
          ...visit,
        })),
      };
    },

    async erase(tx: Tx, acting: Acting, asked: Asked): Promise<DataOf<Contract['personErase']>> {
      requireWholeAccount(acting, 'user.write');
      const { accountId } = acting;
      const person = await personOf(tx, accountId, asked);
      const { online } = await sessionsOf(tx, accountId, person)
        .select(sql<number>`count(*)::int`.as('online'))
        .where('state', '<>', 'ended')
        .executeTakeFirstOrThrow();
      // before the sessions lose their device
      const invoices = await guestInvoices.erase(tx, accountId, await devicesOf(tx, accountId, person, true));
      const requests = await portal(tx)
        .deleteFrom('portal_sponsor_request')
        .where('account_id', '=', accountId)
        .where((where) =>
          where.or([
            where(
              'device_key',
              'in',
              sessionsOf(tx, accountId, person).select('device_key').where('state', '=', 'ended'),
            ),
            where('device_key', '=', (online === 0 && person.deviceKey) || Buffer.alloc(0)),
          ]),
        )
        .executeTakeFirst();
      const tries = await eraseTries(tx, triesOf(accountId, asked, person, online === 0 ? person.deviceKey : null));
      if (person.phoneHash) await sms.forget(tx, accountId, asked.value);
      const none = {
        mac: null,
        ip: null,
        identity: null,
        identity_hash: null,
        identity_sealed: null,
        login_rules: null,
        login_names: [],
      };
      const sessions = await portal(tx)
        .updateTable('portal_session')
        // figures count devices: one key for all that is erased together
        .set({ ...none, device_key: randomBytes(32), visit_id: null })
        .where('account_id', '=', accountId)
        .where('state', '=', 'ended')
        .where(person.sessions)
        .executeTakeFirst();
      const codes = person.phoneHash
        ? await portal(tx)
            .deleteFrom('portal_sms')
            .where('account_id', '=', accountId)
            .where('phone_hash', '=', person.phoneHash)
            .executeTakeFirst()
        : null;
      const accounts = person.account
        ? await portal(tx)
            .deleteFrom('portal_member')
            .where('account_id', '=', accountId)
            .where('name_key', '=', person.account)
            .returning('id')
            .execute()
        : [];
      voidMembers(
        tx,
        accountId,
        accounts.map(({ id }) => id),
      );
      const done = {
        sessions: Number(sessions.numUpdatedRows),
        codes: Number(codes?.numDeletedRows ?? 0),
        accounts: accounts.length,
        online,
        requests: Number(requests.numDeletedRows),
        tries,
        invoices,
      };
      // the log must not keep what is erased
      const erased = { type: 'portal_guest' as const, id: asked.kind, name: asked.kind };
      await record(tx, acting, { action: 'portal.person_erase', object: erased, after: done, command: true });
      return done;
    },
  };
}
