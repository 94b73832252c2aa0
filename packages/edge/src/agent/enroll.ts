import { normaliseSerial } from '@yunxun/contract/device';
import { enrol } from '../enrol.ts';
import { modelOf } from './capabilities.ts';
import { readIdentity, writeIdentity } from './identity-file.ts';
import type { Places } from './places.ts';
import { choosePorts, lookAtDevices, readPorts, writePorts } from './ports.ts';

export interface EnrollArguments {
  console: string;
  code: string;
  gwid?: string;
}

export class CannotEnroll extends Error {}

/**
 * Exchanges the binding code for a certificate. An earlier key is reused and proves the machine; without it the console
 * may require approval, which `onWaiting` reports.
 * @throws CannotEnroll, EnrolmentRefused, ConsoleUnreachable
 */
export async function enrollHost(
  places: Places,
  { console, code, gwid }: EnrollArguments,
  onWaiting: (message: string) => void,
): Promise<string> {
  let url: URL;
  try {
    url = new URL(console);
  } catch {
    throw new CannotEnroll(`"${console}" is no address; it looks like https://console.example`);
  }
  if (url.protocol !== 'https:' && url.protocol !== 'http:') throw new CannotEnroll('only http and https addresses');
  const { candidates, outward } = await lookAtDevices();
  const ports = readPorts(places) ?? choosePorts(candidates, outward);
  const device = ports.WAN1;
  const known = readIdentity(places);
  const serial = known?.serial ?? normaliseSerial(candidates.find((one) => one.device === device)?.mac);
  if (serial === null) throw new CannotEnroll('this machine has no ethernet device that could be its WAN1');
  // after a renewal the console may no longer know the old one
  const proof = known?.next ?? known;
  const identity = await enrol({
    consoleUrl: url.href,
    bindingCode: code,
    serial,
    platform: 'olg',
    model: modelOf(),
    renews: true,
    ...(gwid === undefined ? {} : { gwid }),
    ...(proof === null ? {} : { key: proof.key, proof }),
    onWaiting,
  });
  writePorts(places, ports);
  writeIdentity(places, { ...identity, console: url.href });
  return serial;
}
