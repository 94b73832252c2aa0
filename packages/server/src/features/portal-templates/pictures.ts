import { createHash, timingSafeEqual } from 'node:crypto';
import { type InputOf, type PortalPicture, portalTemplates } from '@yunxun/contract';
import { sizeText } from '@yunxun/contract/rules';
import type { FastifyInstance } from 'fastify';
import type { Acting } from '../../platform/acting.ts';
import { requireWholeAccount } from '../../platform/acting.ts';
import type { Clock } from '../../platform/clock.ts';
import { newToken, tokenHash } from '../../platform/crypto/index.ts';
import { type Database, newId, type Tx } from '../../platform/database/index.ts';
import { Failure, invalid } from '../../platform/failure.ts';
import type { InTenant } from '../../platform/http/call.ts';
import { record } from '../logs/index.ts';
import { type PortalContent, picturesOn } from './content.ts';
import type { PictureDecoder } from './picture-decoder.ts';
import {
  countPictures,
  deleteUnused,
  findPicture,
  type Picture,
  picturesOf,
  putPicture,
  usePictures,
} from './picture-store.ts';

const { pictureBytes, pictureLimits } = portalTemplates;
const folder = '/api/v3/auth_template/picture';
/** Milliseconds between upload and save. */
const keptMs = 86_400_000;

const addressOf = ({ account_id, id, token }: Pick<Picture, 'account_id' | 'id' | 'token'>) =>
  `${folder}/${account_id}/${id}/${token}`;

async function byId(tx: Tx, accountId: string, ids: readonly string[]): Promise<Map<string, PortalPicture>> {
  const rows = await picturesOf(tx, accountId, ids);
  return new Map(rows.map((row) => [row.id, { id: row.id, url: addressOf(row), bytes: row.bytes }]));
}

export interface PictureDeps {
  database: Database;
  clock: Clock;
  decoder: PictureDecoder;
}

export function createPictures({ database, clock, decoder }: PictureDeps) {
  return {
    /** @throws Failure limitReached, unavailable; Invalid beside `file` */
    async upload(inTenant: InTenant, acting: Acting, { slot, file }: InputOf<typeof portalTemplates.pictureUpload>) {
      requireWholeAccount(acting, 'config.write');
      const given = Buffer.from(file, 'base64');
      const max = pictureBytes(slot);
      const tooLarge = (bytes: number) =>
        bytes > max && invalid('file', 'validation.fileSize', { size: sizeText(max / 1024) });
      tooLarge(given.length);
      const { bytes: view, mime, width, height } = await decoder.decode(given, slot);
      const bytes = Buffer.from(view);
      tooLarge(bytes.length);
      const { accountId } = acting;
      return inTenant(async (tx) => {
        const used = await countPictures(tx, accountId);
        const limit = pictureLimits.perAccount;
        if (used >= limit) throw new Failure('limitReached', { data: { limit, used }, params: { limit, used } });
        const sha256 = createHash('sha256').update(bytes).digest('hex');
        const row = { account_id: accountId, slot, mime, width, height, bytes, sha256 };
        const at = { token: newToken().token, used_at: clock.now() };
        const { id, token } = await putPicture(tx, { ...row, ...at, id: newId() });
        await record(tx, acting, {
          action: 'portal_template.picture',
          object: { type: 'portal_picture', id, name: slot },
          after: { slot, mime, width, height, bytes: bytes.length, sha256 },
          command: true,
        });
        return { id, url: addressOf({ account_id: accountId, id, token }), bytes: bytes.length, width, height };
      });
    },

    /** @throws Invalid beside a missing picture */
    async use(tx: Tx, accountId: string, page: PortalContent['page']): Promise<void> {
      const named = picturesOn(page);
      const ids = named.map(({ id }) => id);
      const there = new Map((await usePictures(tx, accountId, ids, clock.now())).map(({ id, slot }) => [id, slot]));
      for (const { id, slot, field } of named) if (there.get(id) !== slot) invalid(field, 'validation.pictureGone');
    },

    /** Like `use`, for a picture outside of a page; null is none. */
    async useOne(
      tx: Tx,
      accountId: string,
      { slot, field, id }: { slot: string; field: string; id: string | null },
    ): Promise<void> {
      if (id === null) return;
      const [found] = await usePictures(tx, accountId, [id], clock.now());
      if (found?.slot !== slot) invalid(field, 'validation.pictureGone');
    },

    byId,

    async shown(
      tx: Tx,
      accountId: string,
      pages: readonly PortalContent['page'][],
    ): Promise<Map<string, PortalPicture>> {
      const ids = [...new Set(pages.flatMap((page) => picturesOn(page).map(({ id }) => id)))];
      return byId(tx, accountId, ids);
    },

    /** Serves `GET …/picture/<account>/<picture>/<token>`; the token replaces the bearer that `img` lacks. */
    mount(app: FastifyInstance, limitFactor: number): void {
      app.get<{ Params: Address }>(`${folder}/:account/:id/:token`, {
        config: { rateLimit: { max: 6000 * limitFactor, timeWindow: 60_000 } },
        handler: async (request, reply) => {
          const found = await offered(database, request.params);
          if (!found) return reply.status(404).type('text/plain').send('no such picture\n');
          return reply
            .type(found.mime)
            .header('content-security-policy', "default-src 'none'; sandbox")
            .header('cache-control', 'private, max-age=31536000, immutable')
            .send(found.bytes);
        },
      });
    },

    tasks: {
      'portal-pictures': () => database.withSystem((tx) => deleteUnused(tx, new Date(clock.now().getTime() - keptMs))),
    },
    schedules: [{ task: 'portal-pictures', cron: '11 * * * *' }],
  };
}
export type Pictures = ReturnType<typeof createPictures>;

interface Address {
  account: string;
  id: string;
  token: string;
}

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

async function offered(database: Database, { account, id, token }: Address): Promise<Picture | undefined> {
  if (!uuid.test(account) || !uuid.test(id)) return undefined;
  const picture = await database.withSystem((tx) => findPicture(tx, account, id));
  return picture && timingSafeEqual(tokenHash(picture.token), tokenHash(token)) ? picture : undefined;
}
