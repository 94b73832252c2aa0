import type { PeripheralType, peripheralScan } from '@yunxun/contract';

interface Guess {
  type: PeripheralType;
  guess: (typeof peripheralScan.guessSources)[number] | null;
}

/** Ports that one kind of device usually opens. */
const byPort: readonly (readonly [type: PeripheralType, ports: readonly number[]])[] = [
  ['camera', [554, 37_777]],
  ['printer', [9100, 515, 631]],
  ['server', [3389, 445, 139, 5900]],
];

/** Makers of mostly one kind of device, as the IEEE register writes them. */
const byVendor: readonly (readonly [type: PeripheralType, names: RegExp])[] = [
  ['camera', /hikvision|dahua|uniview|axis communications|ezviz|reolink|hanwha|vivotek/i],
  ['printer', /canon|seiko epson|brother|kyocera|ricoh|lexmark|xerox|zebra|konica|pantum/i],
  ['firewall', /fortinet|palo alto|sonicwall|sangfor|hillstone|check point/i],
  ['switch', /h3c|ruijie|cisco|juniper|arista|maipu/i],
  ['server', /synology|qnap|super micro|inspur|proxmox|vmware/i],
  ['smart_device', /espressif|tuya|xiaomi|sonos|philips lighting|shelly|lumi united/i],
];

/** Guesses the type of a host by its open ports, else by the maker of its network card. */
export function guessType(ports: readonly number[], vendor: string | null): Guess {
  const opened = byPort.find(([, known]) => known.some((port) => ports.includes(port)));
  if (opened) return { type: opened[0], guess: 'port' };
  const made = vendor === null ? undefined : byVendor.find(([, names]) => names.test(vendor));
  return made ? { type: made[0], guess: 'vendor' } : { type: 'other', guess: null };
}
