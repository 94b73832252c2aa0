import {
  type imports as contract,
  type DataOf,
  fleet,
  fleetBatch,
  type ImportAct,
  type Locale,
  limits,
} from '@yunxun/contract';
import { normaliseSerial } from '@yunxun/contract/device';
import { messageByKey } from '@yunxun/contract/messages';
import { rules } from '@yunxun/contract/rules';
import { Failure } from '../../platform/failure.ts';
import type { Caller, Identity, InTenant } from '../../platform/http/call.ts';
import { refusalOf } from '../../platform/http/envelope.ts';
import type { Calls } from '../../platform/http/invoke.ts';
import { distinctTags, nameKey } from '../../platform/search/index.ts';
import { fleetDevices, fleetNetworks } from '../fleet/index.ts';
import { type ImportRow, tagsOf } from './rows.ts';

type Outcome = DataOf<typeof contract.run>['rows'][number];

export interface Import {
  inTenant: InTenant;
  accountId: string;
  identity: Identity;
  caller: Caller;
  rows: readonly ImportRow[];
  createNetworks: boolean;
  dry: boolean;
}

interface Step {
  act: ImportAct;
  path: string;
  input: Record<string, unknown>;
}

/** `why`: a message key, or a call's answer. */
type Plan = { serial: string; steps: Step[] } | { serial: string; why: string } | { serial: string; refusal: Failure };

/** Returns a placeholder id for a network to be created. */
const made = (name: string) => `made ${nameKey(name)}`;

/** Runs a person's own calls: same rights, log and undo. A refused row stops no other; its completed calls stay. */
export async function runImport(calls: Calls, work: Import): Promise<DataOf<typeof contract.run>> {
  const plans = await plan(work);
  const networks = new Map<string, string>();
  const outcomes: Outcome[] = [];
  for (const [index, one] of plans.entries()) {
    const line = work.rows[index]!.line;
    outcomes.push({ line, ...(await follow(calls, work, one, networks)) });
  }
  const count = (...results: Outcome['result'][]) => outcomes.filter(({ result }) => results.includes(result)).length;
  return { rows: outcomes, done: count('done', 'would'), same: count('same'), failed: count('failed') };
}

async function follow(
  calls: Calls,
  { caller, identity, dry }: Import,
  one: Plan,
  networks: Map<string, string>,
): Promise<Omit<Outcome, 'line'>> {
  const { serial } = one;
  const locale = caller.locale as Locale;
  if ('why' in one) return { serial, result: 'failed', acts: [], why: messageByKey(locale, one.why), code: null };
  if ('refusal' in one) {
    const { code, message } = refusalOf(one.refusal, locale);
    return { serial, result: 'failed', acts: [], why: message, code };
  }
  const wanted = one.steps.map(({ act }) => act);
  if (one.steps.length === 0) return { serial, result: 'same', acts: [], why: null, code: null };
  if (dry) return { serial, result: 'would', acts: wanted, why: null, code: null };
  const acts: ImportAct[] = [];
  for (const { act, path, input } of one.steps) {
    const key = act === 'create_network' ? made(String(input.remark)) : String(input.gwid);
    // created by an earlier row
    if (act === 'create_network' && networks.has(key)) continue;
    const known = networks.get(key);
    try {
      const data = await calls.invoke(path, known ? { ...input, gwid: known } : input, { identity, caller });
      if (act === 'create_network') networks.set(key, (data as { gwid: string }).gwid);
      acts.push(act);
    } catch (error) {
      const { code, message } = refusalOf(error, locale);
      return { serial, result: 'failed', acts, why: message, code };
    }
  }
  return { serial, result: 'done', acts, why: null, code: null };
}

/** Compares the rows with the current state. */
async function plan({ inTenant, accountId, rows, createNetworks }: Import): Promise<Plan[]> {
  const serials = rows.map(({ serial }) => normaliseSerial(serial));
  const names = rows.map(({ network }) => network);
  const { devices, networks, count } = await inTenant(async (tx) => ({
    devices: await fleetDevices.toPlace(tx, accountId, [...new Set(serials.filter((serial) => serial !== null))]),
    networks: await fleetNetworks.named(tx, accountId, names),
    count: await fleetNetworks.count(tx, accountId),
  }));
  const seen = new Set<string>();
  const willBe = new Set<string>();
  return rows.map((row, index): Plan => {
    const serial = serials[index] ?? null;
    if (serial === null) return { serial: row.serial, why: 'import.bad_serial' };
    if (seen.has(serial)) return { serial, why: 'import.twice' };
    seen.add(serial);
    const wrong = rowError(row);
    if (wrong) return { serial, why: wrong };
    const device = devices.get(serial);
    if (!device) return { serial, why: 'import.unknown_device' };
    const steps: Step[] = [];
    const network = row.network.trim();
    const [gwid, another] = networks(network);
    if (another !== undefined) return { serial, why: 'import.network_twice' };
    if (network !== '' && gwid === undefined) {
      if (!createNetworks) return { serial, why: 'import.no_network' };
      const [limit, used] = [limits.networksPerAccount, count + willBe.size];
      const isNew = !willBe.has(made(network));
      if (isNew && used >= limit) return { serial, refusal: new Failure('limitReached', { params: { limit, used } }) };
      if (isNew) steps.push({ act: 'create_network', path: fleet.networkCreate.path, input: { remark: network } });
      willBe.add(made(network));
    }
    if (network !== '' && (gwid === undefined || gwid !== device.gwid)) {
      if (device.isGateway) return { serial, why: 'import.is_gateway' };
      const to = gwid ?? made(network);
      steps.push(
        device.gwid === null
          ? { act: 'adopt', path: fleet.adopt.path, input: { serial, gwid: to } }
          : { act: 'move', path: fleetBatch.apMove.path, input: { serials: [serial], gwid: to } },
      );
    }
    const name = row.name.trim();
    if (name !== '' && name !== device.name)
      steps.push({ act: 'rename', path: fleet.apUpdate.path, input: { serial, remark: name } });
    const tags = tagsOf(row.tags);
    const add = distinctTags([...device.tags, ...tags]).slice(device.tags.length);
    if (add.length > 0) steps.push({ act: 'tag', path: fleetBatch.apTag.path, input: { serials: [serial], add } });
    return { serial, steps };
  });
}

const isName = (text: string, max: number) => rules.freeText.test(text) && text.length <= max;

/** Validates a row before any call. */
function rowError({ name, network, tags }: ImportRow): string | null {
  if (name.trim() !== '' && !isName(name.trim(), 64)) return 'import.bad_remark';
  if (network.trim() !== '' && !isName(network.trim(), 64)) return 'import.bad_network';
  const list = tagsOf(tags);
  return list.length > 20 || list.some((tag) => !isName(tag, 32)) ? 'import.bad_tags' : null;
}
