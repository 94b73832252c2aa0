import { rules } from '@yunxun/contract/rules';
import type { Data } from '../../app/api.ts';
import type { ImportRow } from './import-file.ts';

export type Scan = NonNullable<Data<'/api/v3/peripheral/scan/detail'>['scan']>;
export type Host = Scan['hosts'][number];

/** What a person decides about a found host. */
export interface Draft {
  name: string;
  type: Host['type'];
}

/** Most telling first; web ports last. */
const detectionPorts = [554, 9100, 631, 515, 445, 22, 3389, 443, 80];
const [webPorts, shellPorts] = [
  [80, 443, 8080, 8443, 8000],
  [22, 23],
];

const firstOf = (wanted: readonly number[], ports: readonly number[]) => wanted.find((port) => ports.includes(port));

/** Suggests the lease's name, else its own, else type and last part of the address. */
export function draftOf({ hostname, name, ip, type }: Host, typeName: string): Draft {
  const names = [hostname, name].map((text) => (text ?? '').slice(0, 64));
  const fitting = names.find((text) => rules.freeText.test(text));
  return { name: fitting ?? `${typeName}-${ip.split('.').at(-1)}`, type };
}

/** TCP on the most telling open port, else ICMP. */
export function rowOf({ ip, mac, ports }: Host, { name, type }: Draft, line: number): ImportRow {
  const text = (port: number | undefined) => (port === undefined ? '' : String(port));
  const detect = firstOf(detectionPorts, ports) ?? ports[0];
  return {
    line,
    name,
    type,
    network: '',
    group: '',
    ip,
    mac: mac ?? '',
    mode: detect === undefined ? 'icmp' : 'tcp',
    detect_port: text(detect),
    web_port: text(firstOf(webPorts, ports)),
    shell_port: text(firstOf(shellPorts, ports)),
  };
}
