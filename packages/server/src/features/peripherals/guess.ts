import type { PeripheralType, peripheralScan } from '@yunxun/contract';
import { type EdgeScanHost, edgeFindingSources } from '@yunxun/contract/device';

interface Guess {
  type: PeripheralType;
  guess: (typeof peripheralScan.guessSources)[number] | null;
  name: string | null;
  model: string | null;
}

/** Ports of one kind of device. */
const byPort: readonly (readonly [type: PeripheralType, ports: readonly number[]])[] = [
  ['camera', [554, 37_777]],
  ['printer', [9100, 515, 631]],
  ['server', [3389, 445, 139, 5900]],
];

/** Of mostly one kind, as in the IEEE register. */
const byVendor: readonly (readonly [type: PeripheralType, names: RegExp])[] = [
  ['camera', /hikvision|dahua|uniview|axis communications|ezviz|reolink|hanwha|vivotek/i],
  ['printer', /canon|seiko epson|brother|kyocera|ricoh|lexmark|xerox|zebra|konica|pantum/i],
  ['firewall', /fortinet|palo alto|sonicwall|sangfor|hillstone|check point/i],
  ['switch', /h3c|ruijie|cisco|juniper|arista|maipu/i],
  ['server', /synology|qnap|super micro|inspur|proxmox|vmware/i],
  ['smart_device', /espressif|tuya|xiaomi|sonos|philips lighting|shelly|lumi united/i],
];

/** Guesses by what the host says of itself, else by open ports, else by vendor. */
export function guessType({ ports, findings = [] }: EdgeScanHost, vendor: string | null): Guess {
  const ranked = edgeFindingSources.flatMap((source) => findings.filter(({ by }) => by === source));
  const own = {
    name: ranked.find(({ name }) => name !== null)?.name ?? null,
    model: ranked.find(({ model }) => model !== null)?.model ?? null,
  };
  for (const { by, type } of ranked) if (type) return { type, guess: by, ...own };
  const opened = byPort.find(([, known]) => known.some((port) => ports.includes(port)));
  if (opened) return { type: opened[0], guess: 'port', ...own };
  const made = vendor === null ? undefined : byVendor.find(([, names]) => names.test(vendor));
  return made ? { type: made[0], guess: 'vendor', ...own } : { type: 'other', guess: null, ...own };
}
