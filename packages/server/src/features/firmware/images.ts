import { createHash } from 'node:crypto';
import { type DataOf, firmware, type InputOf, networksOf } from '@yunxun/contract';
import type { Acting } from '../../platform/acting.ts';
import { requireWholeAccount } from '../../platform/acting.ts';
import type { Clock } from '../../platform/clock.ts';
import { newToken } from '../../platform/crypto/index.ts';
import { type Database, newId, type Tx } from '../../platform/database/index.ts';
import { Failure, invalid } from '../../platform/failure.ts';
import { fleetDevices } from '../fleet/index.ts';
import { openWork } from '../jobs/index.ts';
import { record } from '../logs/index.ts';
import {
  deleteImages,
  deleteUnfinished,
  findImage,
  type Image,
  insertImage,
  listImages,
  partsOf,
  putPart,
  readPart,
  setReady,
} from './store.ts';

const { firmwareLimits } = firmware;
export const firmwareJob = 'firmware';

/** Matches with or without "v". A commit or build number may follow: v5.1 is neither v5.10, v5.1.2 nor v5.1.0-rc1. */
export function runs(reportedFirmware: string | null, version: string): boolean {
  if (reportedFirmware === null) return false;
  const words = version.replace(/^v(?=\d)/i, '').replace(/[^\w\s]/g, '\\$&');
  return new RegExp(`(?<![\\w.])${/^\d/.test(words) ? '[vV]?' : ''}${words}${versionEnd}`).test(reportedFirmware);
}
/** Excludes letters, digits, dot and digit, dash with other words. */
const versionEnd = '(?![\\w~]|\\.\\d|-(?!(?:g?[\\da-f]{7,40}|\\d+)(?!\\w))\\w)';

const uploadWithin = 86_400_000;

export function createImages({ database, clock }: { database: Database; clock: Clock }) {
  async function need(tx: Tx, accountId: string, id: string): Promise<Image> {
    const image = await findImage(tx, accountId, id);
    if (!image) throw new Failure('notFound');
    return image;
  }

  const objectOf = ({ id, version }: Image) => ({ type: 'firmware' as const, id, name: version });

  return {
    /** @throws Failure noPermission (delegation of some networks), notFound */
    need(tx: Tx, acting: Acting, id: string): Promise<Image> {
      refuse(acting);
      return need(tx, acting.accountId, id);
    },

    /** Shows limited delegations images for their devices, without source. */
    async list(
      tx: Tx,
      acting: Acting,
      input: InputOf<typeof firmware.imageList>,
    ): Promise<DataOf<typeof firmware.imageList>> {
      const { accountId, actor } = acting;
      const narrowed = actor !== null && networksOf(actor) !== null;
      const counts = input.serials
        ? (await fleetDevices.firmware(tx, accountId, input.serials)).map(({ firmware: version, ...device }) => ({
            model: device.model,
            compatible: device.compatible,
            version,
            devices: 1,
          }))
        : await fleetDevices.versionCounts(tx, accountId);
      const ownOf = (image: Image) => counts.filter((device) => isFor(image, device));
      const limit = input.limit ?? 10;
      const offset = ((input.page ?? 1) - 1) * limit;
      // there are few images
      const picked = narrowed || input.serials !== undefined;
      const page = picked ? { offset: 0, limit: firmwareLimits.images } : { offset, limit };
      const listed = await listImages(tx, accountId, { ...page, ascending: input.order === 'asc' });
      const fitting = picked ? listed.rows.filter((image) => ownOf(image).length > 0) : listed.rows;
      const rows = picked ? fitting.slice(offset, offset + limit) : fitting;
      return {
        list: rows.map((image) => {
          const own = ownOf(image);
          const sum = (list: typeof own) => list.reduce((all, { devices }) => all + devices, 0);
          return {
            id: image.id,
            version: image.version,
            models: image.models,
            source: image.source,
            uri: narrowed ? null : image.uri,
            name: image.name,
            size: image.size,
            sha256: image.sha256,
            signed: image.signature !== null,
            ready: image.ready,
            devices: sum(own),
            other: sum(own.filter(({ version }) => !runs(version, image.version))),
            created_by: image.created_by,
            created_at: image.created_at.toISOString(),
          };
        }),
        total: picked ? fitting.length : listed.total,
      };
    },

    async models(tx: Tx, accountId: string): Promise<DataOf<typeof firmware.models>> {
      const list = new Map<string, DataOf<typeof firmware.models>['list'][number]>();
      for (const { model, version, devices } of await fleetDevices.versionCounts(tx, accountId)) {
        const one = list.get(model) ?? { model, devices: 0, versions: [] };
        one.devices += devices;
        if (version !== null) one.versions.push({ version, devices });
        list.set(model, one);
      }
      return { list: [...list.values()] };
    },

    /** @throws Failure limitReached; Invalid */
    async create(tx: Tx, acting: Acting, input: InputOf<typeof firmware.imageCreate>): Promise<{ id: string }> {
      refuse(acting);
      const { accountId } = acting;
      if (input.uri === undefined && input.size === undefined) invalid('size', 'validation.required');
      const { total } = await listImages(tx, accountId, { offset: 0, limit: 1, ascending: false });
      const limit = firmwareLimits.images;
      if (total >= limit)
        throw new Failure('limitReached', { data: { limit, used: total }, params: { limit, used: total } });
      const image: Image = {
        account_id: accountId,
        id: newId(),
        version: input.version,
        models: [...input.models],
        source: input.uri === undefined ? 'upload' : 'url',
        uri: input.uri ?? null,
        name: input.name,
        size: input.size ?? null,
        sha256: input.sha256,
        signature: input.signature ?? null,
        token: newToken().token,
        ready: input.uri !== undefined,
        created_by: acting.actor?.name ?? acting.source,
        created_at: clock.now(),
      };
      await insertImage(tx, image);
      await record(tx, acting, {
        action: 'firmware.image_create',
        object: objectOf(image),
        after: { models: image.models, uri: image.uri, sha256: image.sha256 },
      });
      return { id: image.id };
    },

    /** @throws Failure unsupported if complete */
    async part(tx: Tx, acting: Acting, { id, part, data }: InputOf<typeof firmware.imagePart>): Promise<void> {
      refuse(acting);
      const image = await need(tx, acting.accountId, id);
      if (image.ready) throw new Failure('unsupported');
      const bytes = Buffer.from(data, 'base64');
      if (bytes.length > firmwareLimits.part || part * firmwareLimits.part >= (image.size ?? 0))
        invalid('data', 'validation.invalid');
      await putPart(tx, { account_id: acting.accountId, id, part, bytes });
    },

    /** @throws Invalid */
    async finish(tx: Tx, acting: Acting, id: string): Promise<void> {
      refuse(acting);
      const { accountId } = acting;
      const image = await need(tx, accountId, id);
      if (image.ready) throw new Failure('unsupported');
      const hash = createHash('sha256');
      let size = 0;
      for (const [at, part] of (await partsOf(tx, accountId, id)).entries()) {
        const bytes = at === part ? await readPart(tx, accountId, id, part) : null;
        if (bytes === null) invalid('sha256', 'validation.imageIncomplete');
        hash.update(bytes);
        size += bytes.length;
      }
      if (size !== image.size) invalid('sha256', 'validation.imageIncomplete');
      if (hash.digest('hex') !== image.sha256) invalid('sha256', 'validation.imageChecksum');
      await setReady(tx, accountId, id, size);
      await record(tx, acting, { action: 'firmware.image_upload', object: objectOf(image), after: { bytes: size } });
    },

    /** @throws Failure inUse */
    async remove(tx: Tx, acting: Acting, ids: readonly string[]): Promise<void> {
      refuse(acting);
      const images: Image[] = [];
      for (const id of ids) images.push(await need(tx, acting.accountId, id));
      const refs = (await openWork.ofType(tx, acting.accountId, firmwareJob))
        .filter(({ params }) => ids.includes((params as { image_id?: string }).image_id ?? ''))
        .map(({ id }) => id);
      if (refs.length > 0) throw new Failure('inUse', { data: { refs }, params: { kind: 'image' } });
      await deleteImages(tx, acting.accountId, ids);
      for (const image of images)
        await record(tx, acting, {
          action: 'firmware.image_delete',
          object: objectOf(image),
          before: { models: image.models, sha256: image.sha256 },
        });
    },

    tasks: {
      // deletes abandoned uploads
      'firmware-unfinished': () => deleteUnfinished(database.system, new Date(clock.now().getTime() - uploadWithin)),
    },
    schedules: [{ task: 'firmware-unfinished', cron: '23 * * * *' }],
  };
}

/** Images apply to all networks. @throws Failure noPermission */
function refuse(acting: Acting): void {
  requireWholeAccount(acting, 'network.reboot');
}

export type Images = ReturnType<typeof createImages>;

export function isFor(
  { models }: Pick<Image, 'models'>,
  { model, compatible }: { model: string | null; compatible: string | null },
): boolean {
  return models.some((one) => one === model || one === compatible);
}
