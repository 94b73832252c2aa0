import { normaliseSerial } from '@yunxun/contract/device';
import { enrol } from '../enrol.ts';
import { modelOf } from './capabilities.ts';
import { readIdentity, writeIdentity } from './identity-file.ts';
import type { Places } from './places.ts';
import { choosePorts, lookAtDevices, readPorts, writePorts } from './ports.ts';

/** What somebody typed. */
export interface EnrollArguments {
  console: string;
  code: string;
  gwid?: string;
}

/** Why a box cannot be enrolled; the text is for whoever stands before it. */
export class CannotEnroll extends Error {}

/**
 * Makes the box's key and trades the binding code for a certificate. Server name, authority and signing key are pinned
 * from the answer. The key of an earlier enrolment is kept.
 * @throws CannotEnroll, EnrolmentRefused, ConsoleUnreachable
 */
export async function enrollBox(places: Places, { console, code, gwid }: EnrollArguments): Promise<string> {
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
  const identity = await enrol({
    ...{ consoleUrl: url.href, bindingCode: code, serial, platform: 'olg', model: modelOf(), renews: true },
    ...(gwid === undefined ? {} : { gwid }),
    ...(known === null ? {} : { key: known.key }),
  });
  writePorts(places, ports);
  writeIdentity(places, { ...identity, console: url.href });
  return serial;
}
