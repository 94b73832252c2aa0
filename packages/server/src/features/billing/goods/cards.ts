import { createHmac, hkdfSync } from 'node:crypto';
import type { billingGoods as contract, DataOf, InputOf, PackageTerms } from '@yunxun/contract';
import type { Acting } from '../../../platform/acting.ts';
import { requireWholeAccount } from '../../../platform/acting.ts';
import type { Clock } from '../../../platform/clock.ts';
import { makeCodes, typedCode } from '../../../platform/crypto/codes.ts';
import { newId, type Tx } from '../../../platform/database/index.ts';
import { Failure, invalid } from '../../../platform/failure.ts';
import { fleetNetworks } from '../../fleet/index.ts';
import { record } from '../../logs/index.ts';
import type { Decisions } from '../decisions/index.ts';
import { refundedOfAnyGuest } from '../refunds/refund-store.ts';
import { fenOf, lockMoney, post, yuan } from '../service.ts';
import {
  countCards,
  findBatch,
  insertCards,
  listBatches,
  listCards,
  lockCard,
  refundedCards,
  sellCards,
  voidCards,
} from './card-store.ts';
import { type Entitlement, endEntitlement, findEntitlement, insertEntitlement, usedFen } from './entitlements.ts';
import { findPackage } from './packages.ts';
import { goodsTables } from './tables.ts';

type Contract = typeof contract;

/** After the prefix: 60 bits. */
const codeLength = 12;

export type CardRefusal = 'card_unknown' | 'card_used' | 'card_void' | 'card_expired' | 'card_elsewhere';

export interface Redemption {
  accountId: string;
  gwid: string;
  code: string;
  now: Date;
}

interface CardDeps {
  clock: Clock;
  masterKey: Buffer;
  decisions: Decisions;
}

export function createCards({ clock, masterKey, decisions }: CardDeps) {
  const hashKey = Buffer.from(hkdfSync('sha256', masterKey, '', 'billing card', 32));
  const hashOf = (accountId: string, code: string) =>
    createHmac('sha256', hashKey)
      .update(`${accountId}\n${typedCode(code)}`)
      .digest();

  async function lockSold(tx: Tx, accountId: string, id: string) {
    const card = await lockCard(tx, accountId, { id });
    if (!card) throw new Failure('notFound');
    if (!card.sold_at || card.refunded_at) throw new Failure('changedMeanwhile', { params: { kind: 'card_used' } });
    return card;
  }

  /** @throws Invalid if all of a card with a face was used, unless `used` */
  async function refundOf(
    tx: Tx,
    accountId: string,
    card: Awaited<ReturnType<typeof lockSold>>,
    used: boolean,
  ): Promise<number> {
    const face = Number(card.face_fen);
    const fen = used ? face : face - usedFen(face, await findEntitlement(tx, accountId, 'card', card.id), clock.now());
    if (face > 0 && fen <= 0) invalid('used', 'billing.refund_used', { max: yuan(0) });
    return fen;
  }

  async function refund(
    tx: Tx,
    acting: Acting,
    card: Awaited<ReturnType<typeof lockSold>>,
    fen: number,
    given: { reason: string; used: boolean; by?: string },
  ): Promise<void> {
    const { accountId } = acting;
    const { id } = card;
    const now = clock.now();
    await goodsTables(tx)
      .updateTable('billing_card')
      .set({ refunded_at: now, refunded_fen: fen })
      .where('account_id', '=', accountId)
      .where('id', '=', id)
      .execute();
    await endEntitlement(tx, accountId, 'card', id, now);
    await bookCard(tx, { accountId, id, gwid: card.used_gwid, fen: -fen, now });
    await record(tx, acting, {
      action: 'card.refund',
      object: { type: 'card', id, name: `…${card.tail}` },
      ...(card.used_gwid ? { gwid: card.used_gwid } : {}),
      after: { face: yuan(Number(card.face_fen)), refunded: yuan(fen), ...given },
    });
  }
  decisions.on('card', async (tx, acting, { object, fen, input, by }) =>
    refund(tx, acting, await lockSold(tx, acting.accountId, object), fen, { ...input, by }),
  );

  return {
    async batches(
      tx: Tx,
      acting: Acting,
      input: InputOf<Contract['batchList']>,
    ): Promise<DataOf<Contract['batchList']>> {
      requireWholeAccount(acting, 'billing.read');
      const { rows, total } = await listBatches(tx, acting.accountId, input, clock.now());
      const list = rows.map(({ face_fen, valid_until, created_at, ...row }) => ({
        ...row,
        face: yuan(Number(face_fen)),
        valid_until: new Date(valid_until).toISOString(),
        created_at: new Date(created_at).toISOString(),
      }));
      return { list, total };
    },

    /** @throws Failure notFound */
    async generate(
      tx: Tx,
      acting: Acting,
      input: InputOf<Contract['cardGenerate']>,
    ): Promise<DataOf<Contract['cardGenerate']>> {
      requireWholeAccount(acting, 'billing.write');
      const { accountId } = acting;
      const { name, package_id, face, count, prefix, valid_days } = input;
      const sold = await findPackage(tx, accountId, package_id);
      if (!sold) throw new Failure('notFound');
      const now = clock.now();
      const id = newId(now.getTime());
      const valid_until = new Date(now.getTime() + valid_days * 86_400_000);
      await goodsTables(tx)
        .insertInto('billing_card_batch')
        .values({
          account_id: accountId,
          id,
          name,
          package_id,
          package_name: sold.name,
          face_fen: fenOf(face),
          terms: JSON.stringify(sold.terms) as unknown as PackageTerms,
          valid_until,
          created_at: now,
          created_by: acting.actor?.name ?? acting.source,
        })
        .execute();
      const codes = makeCodes(count, 'mixed', codeLength).map((code) => `${prefix}${code}`);
      const cards = codes.map((code) => ({
        id: newId(now.getTime()),
        hash: hashOf(accountId, code),
        tail: code.slice(-4),
      }));
      const inserted = await insertCards(tx, { accountId, batchId: id }, cards);
      // an existing code means a broken random source
      if (inserted < count) throw new Error('a new card code exists already');
      await record(tx, acting, {
        action: 'card_batch.create',
        object: { type: 'card_batch', id, name },
        after: { name, package: sold.name, face, count, prefix, valid_until: valid_until.toISOString() },
      });
      return { id, package_name: sold.name, codes };
    },

    async list(tx: Tx, acting: Acting, input: InputOf<Contract['cardList']>): Promise<DataOf<Contract['cardList']>> {
      requireWholeAccount(acting, 'billing.read');
      const { accountId } = acting;
      const { rows, total } = await listCards(tx, accountId, input, clock.now());
      const names = await fleetNetworks.names(
        tx,
        accountId,
        rows.flatMap(({ used_gwid: gwid }) => gwid ?? []),
      );
      const list = rows.map(({ id, batch_id, batch, tail, face_fen, state, sold_at, used_at, used_gwid: gwid }) => ({
        id,
        batch_id,
        batch,
        code: `…${tail}`,
        face: yuan(Number(face_fen)),
        state,
        sold_at: sold_at && new Date(sold_at).toISOString(),
        used_at: used_at && new Date(used_at).toISOString(),
        network: gwid === null ? null : { gwid, name: names.get(gwid) ?? gwid },
      }));
      return { list, total };
    },

    async stat(tx: Tx, acting: Acting): Promise<DataOf<Contract['cardStat']>> {
      requireWholeAccount(acting, 'billing.read');
      const { fen, sold: _sold, ...counted } = await countCards(tx, acting.accountId, clock.now());
      return { ...counted, income: yuan(Number(fen)) };
    },

    /** @throws Failure changedMeanwhile unless unused */
    async void(tx: Tx, acting: Acting, input: InputOf<Contract['cardVoid']>): Promise<{ voided: number }> {
      requireWholeAccount(acting, 'billing.write');
      const { batch_id, id } = input;
      const batch = await goodsTables(tx)
        .selectFrom('billing_card_batch')
        .select('name')
        .where('account_id', '=', acting.accountId)
        .where('id', '=', batch_id)
        .executeTakeFirst();
      if (!batch) throw new Failure('notFound');
      const voided = await voidCards(tx, acting.accountId, batch_id, id ?? null, clock.now());
      if (id && voided === 0) throw new Failure('changedMeanwhile', { params: { kind: 'card_unused' } });
      await record(tx, acting, {
        action: 'card_batch.void',
        object: { type: 'card_batch', id: batch_id, name: batch.name },
        after: { voided },
      });
      return { voided };
    },

    /** @throws Failure changedMeanwhile if other cards were sold meanwhile; Invalid beyond what is left */
    async sell(tx: Tx, acting: Acting, input: InputOf<Contract['cardSell']>): Promise<{ sold: number }> {
      requireWholeAccount(acting, 'billing.write');
      const { accountId } = acting;
      const { batch_id: batchId, count, unsold } = input;
      const now = clock.now();
      await lockMoney(tx, accountId);
      const batch = await findBatch(tx, accountId, batchId, now);
      if (!batch) throw new Failure('notFound');
      if (batch.unused - batch.sold !== unsold) throw new Failure('changedMeanwhile');
      if (count > unsold) invalid('count', 'validation.maxValue', { max: unsold });
      const cards = await sellCards(tx, accountId, { batchId, count, now });
      for (const { id, face_fen: fen } of cards) await bookCard(tx, { accountId, id, gwid: null, fen, now });
      await record(tx, acting, {
        action: 'card_batch.sell',
        object: { type: 'card_batch', id: batchId, name: batch.name },
        after: { sold: cards.length },
      });
      return { sold: cards.length };
    },

    /** @throws Failure changedMeanwhile unless sold */
    async refund(
      tx: Tx,
      acting: Acting,
      { id, reason, used = false }: InputOf<Contract['cardRefund']>,
    ): Promise<DataOf<Contract['cardRefund']>> {
      requireWholeAccount(acting, 'billing.write');
      const card = await lockSold(tx, acting.accountId, id);
      const fen = await refundOf(tx, acting.accountId, card, used);
      await lockMoney(tx, acting.accountId);
      const since = new Date(clock.now().getTime() - 86_400_000);
      const ofGuest = await refundedOfAnyGuest(tx, acting.accountId, since);
      const ofDay = ofGuest + (await refundedCards(tx, acting.accountId, since));
      const held = await decisions.hold(tx, acting, {
        kind: 'card',
        object: id,
        name: `…${card.tail}`,
        fen,
        sumFen: ofDay + fen,
        gwid: card.used_gwid,
        input: { reason, used },
      });
      if (!held) await refund(tx, acting, card, fen, { reason, used });
      return { waiting: held };
    },

    /**
     * Books the face value as income once, in the same transaction. A redeemed card gives the same entitlement until
     * its time is over.
     */
    async redeem(
      tx: Tx,
      { accountId, gwid, code, now }: Redemption,
    ): Promise<{ entitlement: Entitlement; tail: string } | { refused: CardRefusal }> {
      const card = await lockCard(tx, accountId, { hash: hashOf(accountId, code) });
      if (!card) return { refused: 'card_unknown' };
      if (card.voided_at || card.refunded_at) return { refused: 'card_void' };
      const { id, terms, tail } = card;
      if (terms.gwids && !terms.gwids.includes(gwid)) return { refused: 'card_elsewhere' };
      if (card.used_at) {
        const entitlement = await findEntitlement(tx, accountId, 'card', id);
        const over = !entitlement || entitlement.ends_at <= now;
        return over ? { refused: 'card_used' } : { entitlement, tail };
      }
      if (card.valid_until <= now) return { refused: 'card_expired' };
      await goodsTables(tx)
        .updateTable('billing_card')
        .set({ used_at: now, used_gwid: gwid, ...(!card.sold_at && { sold_at: now }) })
        .where('account_id', '=', accountId)
        .where('id', '=', id)
        .execute();
      const source = { accountId, gwid, source: 'card', sourceId: id, packageId: card.package_id, terms } as const;
      const entitlement = await insertEntitlement(tx, source, now);
      if (!card.sold_at) await bookCard(tx, { accountId, id, gwid, fen: Number(card.face_fen), now });
      return { entitlement, tail };
    },
  };
}

/** Books against `cash`, so the balance stays: cards are sold outside the console. Fen. */
async function bookCard(
  tx: Tx,
  { accountId, id, gwid, fen, now }: { accountId: string; id: string; gwid: string | null; fen: number; now: Date },
): Promise<void> {
  if (fen === 0) return;
  const kind = fen > 0 ? 'recharge_card' : 'recharge_card_refund';
  await post(tx, {
    accountId,
    key: `${kind}:${id}`,
    kind,
    at: now,
    gwid,
    entries: [
      { ledger: 'cash', fen },
      { ledger: 'income', fen: -fen },
    ],
  });
}
