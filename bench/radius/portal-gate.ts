import { randomUUID } from 'node:crypto';
import { createFairQueues } from '../../packages/server/src/features/portal/fair-queues.ts';
import { createGuestLimits } from '../../packages/server/src/features/portal/guest-limits.ts';
import { createGuestGate } from '../../packages/server/src/features/portal/radius/guest-gate.ts';
import { createMemberProofs } from '../../packages/server/src/features/portal/radius/member-proofs.ts';
import {
  createMemberGate,
  sealMemberPassword,
} from '../../packages/server/src/features/portal/radius/member-radius.ts';
import { createRowLimit } from '../../packages/server/src/features/portal/row-limit.ts';
import { createPortalSecrets } from '../../packages/server/src/features/portal/secrets.ts';
import { createSignIn } from '../../packages/server/src/features/portal/sign-in.ts';
import { contentWith, freeLimits, memoryTemplates } from '../../packages/server/src/features/portal/testing/guest.ts';
import { isBlocked, listedSubject } from '../../packages/server/src/features/users/index.ts';
import type { Bus } from '../../packages/server/src/platform/bus/index.ts';
import { systemClock as clock } from '../../packages/server/src/platform/clock.ts';
import type { AccountKeys } from '../../packages/server/src/platform/crypto/account-keys.ts';
import type { Database } from '../../packages/server/src/platform/database/index.ts';
import { createGuessSlots } from '../../packages/server/src/platform/guesses/index.ts';
import { guests, nameOf, password } from './load.ts';

interface Place {
  accountId: string;
  gwid: string;
}

const neverBought = async () => {
  throw new Error('the bench buys nothing');
};

export async function portalGate(
  base: { database: Database; bus: Bus; keys: AccountKeys; masterKey: Buffer },
  place: Place,
) {
  const { database, keys, masterKey } = base;
  const secrets = createPortalSecrets(masterKey);
  const templates = memoryTemplates();
  const templateId = randomUUID();
  templates.set(templateId, contentWith([{ kind: 'account', ...freeLimits }]));
  await database.systemPool.query(
    `insert into portal_site (account_id, gwid, enabled, template_id, gateway, key, secret)
     values ($1, $2, true, $3, 'uam', 'bench', 'bench')`,
    [place.accountId, place.gwid, templateId],
  );
  await database.withSystem(async (tx) => {
    const members = await Promise.all(
      Array.from({ length: guests }, async (_, at) => {
        const id = randomUUID();
        return { id, name: nameOf(at), sealed: await sealMemberPassword(tx, keys, place.accountId, id, password) };
      }),
    );
    await database.systemPool.query(
      `insert into portal_member (account_id, gwid, id, name, password_hash, enabled, devices, radius_sealed)
       select $1, $2, v.id, v.name, '', true, 1, v.sealed from unnest($3::uuid[], $4::text[], $5::bytea[]) v(id, name, sealed)`,
      [
        place.accountId,
        place.gwid,
        members.map(({ id }) => id),
        members.map(({ name }) => name),
        members.map(({ sealed }) => sealed),
      ],
    );
  });
  const goods = { redeemCard: neverBought, purchases: neverBought } as never;
  const signIn = createSignIn({ secrets, keys, goods });
  const slots = createGuessSlots({ database, clock });
  const limits = createGuestLimits({ database, slots, queues: createFairQueues(clock), rows: createRowLimit() });
  const blocked = { isBlocked, changedSubject: listedSubject };
  const members = createMemberGate({ keys, secrets, templates, signIn, limits, blocked });
  const proofs = createMemberProofs({ database, bus: base.bus, clock, blocked });
  return createGuestGate({ database, clock, keys, secrets, members, proofs });
}
