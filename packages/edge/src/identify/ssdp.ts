import { type Finding, shortText } from './finding.ts';

export const ssdpGroup = '239.255.255.250';

/** UPnP Device Architecture 2.0. */
export const ssdpSearch = Buffer.from(
  [
    'M-SEARCH * HTTP/1.1',
    `HOST: ${ssdpGroup}:1900`,
    'MAN: "ssdp:discover"',
    'MX: 2',
    'ST: ssdp:all',
    'USER-AGENT: Yunxun/1 UPnP/2.0 scan/1',
    '',
    '',
  ].join('\r\n'),
);

const byDevice: readonly (readonly [type: NonNullable<Finding['type']>, names: RegExp])[] = [
  ['camera', /:device:(?:DigitalSecurityCamera|NetworkCamera)/i],
  ['printer', /:device:Printer/i],
  ['smart_device', /:device:(?:MediaRenderer|ZonePlayer|DimmableLight|BinaryLight|HVAC|tvdevice)|:service:dial/i],
  ['server', /:device:MediaServer/i],
];
const byServer: readonly (readonly [type: NonNullable<Finding['type']>, names: RegExp])[] = [
  ['camera', /hikvision|dahua|ip ?cam|network ?camera/i],
  ['printer', /printer|laserjet|officejet|epson|brother|kyocera/i],
  ['server', /synology|dsm\/|qnap|microsoft-windows/i],
  ['smart_device', /ipbridge|hue\/|sonos|roku|webos|tizen|chromecast/i],
];

export function readSsdp(packet: Buffer): Finding | null {
  const text = packet.toString('utf8');
  if (!/^HTTP\/1\.[01] 200/i.test(text)) return null;
  const head = new Map(
    text
      .split(/\r?\n/)
      .slice(1, 40)
      .flatMap((line): [string, string][] => {
        const colon = line.indexOf(':');
        return colon < 1 ? [] : [[line.slice(0, colon).trim().toLowerCase(), line.slice(colon + 1).trim()]];
      }),
  );
  const [target, server] = [head.get('st') ?? '', head.get('server') ?? ''];
  if (target === '' && server === '') return null;
  const type =
    byDevice.find(([, names]) => names.test(target))?.[0] ?? byServer.find(([, names]) => names.test(server))?.[0];
  // system, UPnP version, product
  const product = /UPnP\/[\d.]+,?\s+(.+)$/i.exec(server)?.[1];
  return { by: 'ssdp', type: type ?? null, name: null, model: shortText(product) };
}
