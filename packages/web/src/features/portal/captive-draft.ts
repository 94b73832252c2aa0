import { holds, readAddressRange, readSubnet } from '@yunxun/contract/ipv4';
import type { Data } from '../../app/api.ts';
import type { Wrong } from '../../ui/use-form.ts';

type Captive = Data<'/api/v3/portal/site'>['site']['captive'];

export interface ExemptDraft {
  device: string;
  remark: string;
}

/** What the card edits; `ranges`: by LAN, as typed. */
export interface CaptiveDraft {
  lans: readonly string[];
  ranges: Readonly<Record<string, string>>;
  ssids: readonly string[];
  exempt: readonly ExemptDraft[];
  /** More devices, not added yet. */
  typed: string;
}

export const longestRemark = 60;

const lineEnds = /[\n,;，；]+/;
const linesOf = (text: string) => [...new Set(text.split(lineEnds).map((line) => line.trim()))].filter(Boolean);
const isMac = (device: string) => /^([0-9a-f]{2}:){5}[0-9a-f]{2}$/.test(device);

const macNotations = /^([0-9a-f]{12}|([0-9a-f]{2}[:-]){5}[0-9a-f]{2}|([0-9a-f]{4}[.:-]){2}[0-9a-f]{4})$/;

export function plainDevice(text: string): string {
  const plain = text.trim().toLowerCase();
  return macNotations.test(plain) ? plain.replace(/[:.-]/g, '').match(/../g)!.join(':') : plain;
}

export function withTyped({ exempt, typed }: Pick<CaptiveDraft, 'exempt' | 'typed'>): readonly ExemptDraft[] {
  const devices = typed
    .split(/[\s,;，；]+/)
    .filter(Boolean)
    .map(plainDevice);
  return withDevices(
    exempt,
    devices.map((device) => ({ device, remark: '' })),
  );
}

export function withDevices(exempt: readonly ExemptDraft[], more: readonly ExemptDraft[]): readonly ExemptDraft[] {
  const all = new Map(exempt.map((one) => [one.device, one]));
  for (const one of more) if (!all.has(one.device)) all.set(one.device, one);
  return [...all.values()];
}

export function draftOf({ lans, ranges, ssids, exempt_remarks: remarks, ...exempt }: Captive): CaptiveDraft {
  const texts: Record<string, string> = {};
  for (const { lan, range } of ranges) texts[lan] = lan in texts ? `${texts[lan]}\n${range}` : range;
  const devices = [...exempt.exempt_macs, ...exempt.exempt_addresses];
  const remarkOf = (device: string) => remarks.find((one) => one.device === device)?.remark ?? '';
  const known = devices.map((device) => ({ device, remark: remarkOf(device) }));
  return { lans, ranges: texts, ssids, exempt: known, typed: '' };
}

export function captiveOf({ lans, ranges, ssids, ...devicesOf }: CaptiveDraft): Captive {
  const exempt = withTyped(devicesOf);
  const devices = exempt.map(({ device }) => device);
  return {
    lans: [...lans],
    ranges: Object.entries(ranges)
      .filter(([lan]) => lans.includes(lan))
      .flatMap(([lan, text]) => linesOf(text).map((range) => ({ lan, range }))),
    ssids: [...ssids],
    exempt_macs: devices.filter(isMac),
    exempt_addresses: devices.filter((device) => !isMac(device)),
    exempt_remarks: exempt
      .map(({ device, remark }) => ({ device, remark: remark.trim() }))
      .filter(({ remark }) => remark !== ''),
  };
}

/** Returns the first error of the ranges of a LAN, or of all LANs together (null). `sent`: the draft that has it. */
export function rangeError(wrong: Wrong<string>, sent: CaptiveDraft, lan: string | null): string | null {
  const { ranges } = captiveOf(sent);
  const found = Object.entries(wrong).find(([field]) => {
    const at = /^captive\.ranges(?:\.(\d+)\.|$)/.exec(field);
    return at !== null && (ranges[Number(at[1])]?.lan ?? null) === lan;
  });
  return found?.[1] ?? null;
}

export function countOf(text: string, subnet: string | null): { clients: number; of: number } | null {
  const own = readSubnet(subnet);
  const read = linesOf(text).map(readAddressRange);
  if (own === null || read.length === 0) return null;
  if (!read.every((range) => range !== null && holds(own, range.first) && holds(own, range.last))) return null;
  return { clients: read.reduce((sum, range) => sum + range!.last - range!.first + 1, 0), of: 2 ** (32 - own.prefix) };
}
