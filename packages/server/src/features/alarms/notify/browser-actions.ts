import { createHash, ECDH, timingSafeEqual } from 'node:crypto';
import { alarmBrowsers as contract, type DataOf, type InputOf, type Locale } from '@yunxun/contract';
import { sql } from 'kysely';
import { type Acting, bySystem } from '../../../platform/acting.ts';
import type { Clock } from '../../../platform/clock.ts';
import type { AccountKeys } from '../../../platform/crypto/account-keys.ts';
import { type Database, newId, type Tx } from '../../../platform/database/index.ts';
import { Failure, invalid } from '../../../platform/failure.ts';
import { hostOf, PrivateAddress, publicAddresses } from '../../../platform/outgoing/address.ts';
import { record } from '../../logs/index.ts';
import * as store from './browser-store.ts';
import { reasonText } from './notice-list.ts';
import type { VapidKeys } from './vapid-keys.ts';
import { browserContext, type PushTarget } from './web-push.ts';

type Saved = InputOf<typeof contract.browserSave>;

export interface BrowserDeps {
  database: Database;
  clock: Clock;
  keys: AccountKeys;
  vapid: VapidKeys;
  config: { privateWebhooks: boolean };
}

/** Browsers belong to a person, whatever account they act in. */
export function createBrowserActions({ database, clock, keys, vapid, config }: BrowserDeps) {
  /** @throws Failure notFound unless the secret of the subscription is right */
  async function personOfSubscription(tx: Tx, fingerprint: Buffer, auth: string): Promise<string> {
    const row = await store.findByFingerprint(tx, fingerprint);
    if (!row) throw new Failure('notFound');
    const sealer = await keys.of(tx, row.account_id);
    const old = JSON.parse(sealer.open(row.sealed, browserContext(row.id)).toString()) as PushTarget;
    if (!timingSafeEqual(Buffer.from(old.keys.auth), Buffer.from(auth))) throw new Failure('notFound');
    return row.person_id;
  }

  return {
    async list(tx: Tx, acting: Acting, locale: Locale): Promise<DataOf<typeof contract.browserList>> {
      const rows = await store.readBrowsers(tx, acting.accountId, personOf(acting));
      return {
        list: rows.map(({ id, name, fingerprint, created_at, last_at, last_error }) => ({
          id,
          name,
          fingerprint: fingerprint.toString('hex'),
          created_at: created_at.toISOString(),
          last: last_at && { at: last_at.toISOString(), error: last_error && reasonText(locale, last_error) },
        })),
        public_key: vapid.publicKey,
      };
    },

    /** @throws Invalid; Failure limitReached */
    async save(acting: Acting, input: Saved): Promise<DataOf<typeof contract.browserSave>> {
      await refuseEndpoint(input.endpoint, config.privateWebhooks);
      refuseKey(input.p256dh);
      const { accountId } = acting;
      const personId = personOf(acting);
      const { name, endpoint, p256dh, auth } = input;
      const fingerprint = fingerprintOf(endpoint);
      return database.withSystem(async (tx) => {
        await lockBrowsers(tx, personId, fingerprint);
        const rows = await store.readBrowsers(tx, accountId, personId);
        const known = rows.find((row) => row.fingerprint.equals(fingerprint));
        if (!known) refuseAnother(rows.length);
        const id = known?.id ?? newId();
        const sealer = await keys.of(tx, accountId);
        const target = { endpoint, keys: { p256dh, auth } } satisfies PushTarget;
        await store.writeBrowser(tx, {
          account_id: accountId,
          id,
          person_id: personId,
          name,
          fingerprint,
          created_at: clock.now(),
          sealed: sealer.seal(JSON.stringify(target), browserContext(id)),
          last_at: null,
          last_error: null,
          ended_at: null,
        });
        await record(tx, acting, {
          action: 'alarm.browser_save',
          object: { type: 'alarm_browser', id, name },
          before: known && { name: known.name },
          // the rest of the endpoint is a secret
          after: { name, push_service: new URL(endpoint).host },
        });
        return { id };
      });
    },

    /** @throws Invalid; Failure notFound, limitReached */
    async renew({ old_endpoint, old_auth, endpoint, p256dh, auth }: InputOf<typeof contract.browserRenew>, ip: string) {
      refuseKey(p256dh);
      const [old, fingerprint] = [fingerprintOf(old_endpoint), fingerprintOf(endpoint)];
      const personId = await database.withSystem((tx) => personOfSubscription(tx, old, old_auth));
      await refuseEndpoint(endpoint, config.privateWebhooks);
      await database.withSystem(async (tx) => {
        await lockBrowsers(tx, personId, fingerprint);
        const row = await store.findByFingerprint(tx, old);
        if (row?.person_id !== personId) throw new Failure('notFound');
        const { account_id: accountId, id, name } = row;
        if (row.ended_at) refuseAnother((await store.readBrowsers(tx, accountId, personId)).length);
        const sealer = await keys.of(tx, accountId);
        const target = { endpoint, keys: { p256dh, auth } } satisfies PushTarget;
        await store.writeBrowser(tx, {
          ...row,
          fingerprint,
          ended_at: null,
          sealed: sealer.seal(JSON.stringify(target), browserContext(id)),
        });
        await record(
          tx,
          { ...bySystem(accountId), userId: personId, source: 'web', ip },
          {
            action: 'alarm.browser_renew',
            object: { type: 'alarm_browser', id, name },
            before: { push_service: new URL(old_endpoint).host },
            after: { push_service: new URL(endpoint).host },
          },
        );
      });
      return {};
    },

    async remove(tx: Tx, acting: Acting, id: string): Promise<void> {
      const name = await store.removeBrowser(tx, { accountId: acting.accountId, personId: personOf(acting), id });
      if (name === undefined) throw new Failure('notFound');
      await record(tx, acting, { action: 'alarm.browser_delete', object: { type: 'alarm_browser', id, name } });
    },
  };
}

const fingerprintOf = (endpoint: string): Buffer => createHash('sha256').update(endpoint).digest();

/** Before any row: two saves of one person must not pass the limit together. */
async function lockBrowsers(tx: Tx, personId: string, fingerprint: Buffer): Promise<void> {
  for (const subject of [`alarm browsers ${personId}`, `alarm browser ${fingerprint.toString('hex')}`])
    await sql`select pg_advisory_xact_lock(hashtextextended(${subject}, 0))`.execute(tx);
}

/** @throws Failure limitReached */
function refuseAnother(used: number): void {
  const limit = contract.browserLimits.perPerson;
  if (used >= limit) throw new Failure('limitReached', { data: { limit }, params: { limit, used } });
}

function personOf({ userId }: Acting): string {
  if (userId === null) throw new Failure('notFound');
  return userId;
}

/** Refuses what webhooks refuse. @throws Invalid */
async function refuseEndpoint(endpoint: string, mayBePrivate: boolean): Promise<void> {
  const { protocol, username, password } = new URL(endpoint);
  if (username || password) invalid('endpoint', 'validation.url');
  if (mayBePrivate) return;
  if (protocol !== 'https:') invalid('endpoint', 'validation.https');
  try {
    await publicAddresses(hostOf(endpoint));
  } catch (error) {
    invalid('endpoint', error instanceof PrivateAddress ? 'validation.pushPrivate' : 'validation.pushHost');
  }
}

/** Refuses a key that is no point of P-256. @throws Invalid */
function refuseKey(p256dh: string): void {
  try {
    ECDH.convertKey(p256dh, 'prime256v1', 'base64url');
  } catch {
    invalid('p256dh', 'validation.pushKey');
  }
}
