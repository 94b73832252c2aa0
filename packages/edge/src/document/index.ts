import { edgeDocument } from '@yunxun/contract/device';
import type { Subnet } from '@yunxun/contract/ipv4';
import { readCaptive } from './captive.ts';
import type { EdgeDocument, Network, Uplink } from './document.ts';
import { DocumentErrors, quote } from './errors.ts';
import type { Facts } from './facts.ts';
import { readInterfaces } from './interfaces.ts';
import { checkForwards } from './lan.ts';
import { readShape } from './reader.ts';
import { readSdwan } from './sdwan.ts';
import { readConfirm, readFlowRules, readLimits, readReboot, readRoutes, withWans } from './section.ts';
import type { Shaped } from './shape.ts';
import { readShield } from './shield.ts';

export type { EdgeDocument } from './document.ts';
export type { Abilities, Facts, Folders } from './facts.ts';

/** The document with sentences about ignored parts, or every reason for refusal; never applied in part. */
export type Read = { document: EdgeDocument; rejected: readonly string[] } | { refused: readonly string[] };

const sshPort = 22;

export function readDocument(document: unknown, facts: Facts): Read {
  const errors = new DocumentErrors();
  const shaped = readShape(edgeDocument, document, errors);
  if (shaped === undefined || errors.errors.length > 0) return { refused: errors.errors };
  const read = readWhole(shaped, facts, errors);
  if (errors.errors.length > 0) return { refused: errors.errors };
  if (shaped.strict === true && errors.rejected.length > 0) return { refused: errors.rejected };
  return { document: read, rejected: errors.rejected };
}

function readWhole(shaped: Shaped, facts: Facts, errors: DocumentErrors): EdgeDocument {
  const section = shaped['third-party']?.yunxun ?? {};
  const { uplinks, networks } = readInterfaces(shaped.interfaces ?? [], facts, errors);
  const port = shaped.services?.ssh?.port ?? sshPort;
  checkForwards(networks, uplinks.some(({ services }) => services.includes('ssh')) ? port : null, errors);
  checkNameServers(uplinks, networks, errors);
  // reject settings without effect
  if (shaped.services?.log !== undefined) errors.reject('/services/log', 'is not supported by this gateway');
  return {
    hostName: hostNameOf(shaped.unit?.hostname) ?? hostNameOf(shaped.unit?.name),
    timeZone: readTimeZone(shaped.unit?.timezone, errors),
    uplinks: withWans(uplinks, section, facts, errors),
    networks,
    ...readRoutes(section, uplinks, subnetsOf(uplinks, networks), errors),
    limits: readLimits(section, networks, facts, errors),
    reboot: readReboot(section, errors),
    blocked: [...new Set(section.blocked)].toSorted(),
    takesPort53: section.take_port53 === true,
    sshPort: port,
    confirmS: readConfirm(section),
    flowRules: readFlowRules(section, errors),
    sdwan: readSdwan(section.sdwan, facts, errors),
    shield: readShield(section.shield, facts, errors),
    captive: readCaptive(section.captive, networks, facts, errors),
  };
}

function subnetsOf(uplinks: readonly Uplink[], networks: readonly Network[]): Subnet[] {
  return [
    ...uplinks.flatMap(({ addressing }) => (addressing.kind === 'static' ? [addressing.subnet] : [])),
    ...networks.flatMap(({ subnet }) => (subnet ? [subnet] : [])),
  ];
}

function checkNameServers(uplinks: readonly Uplink[], networks: readonly Network[], errors: DocumentErrors): void {
  const asked = networks.some(({ dhcp }) => dhcp !== null && dhcp.dns.length === 0);
  const knows = uplinks.some(({ dns, addressing }) => dns !== null || addressing.kind === 'dynamic');
  if (asked && !knows && uplinks.length > 0)
    errors.error(
      `/interfaces/${uplinks[0]!.index}/ipv4/use-dns`,
      'is missing: clients send their DNS queries to this gateway, and no line has a DNS server',
    );
}

function hostNameOf(name: string | undefined): string | null {
  return name !== undefined && /^[A-Za-z0-9]([A-Za-z0-9-]{0,61}[A-Za-z0-9])?$/.test(name) ? name : null;
}

function readTimeZone(zone: string | undefined, errors: DocumentErrors): string | null {
  if (zone === undefined) return null;
  try {
    if (!/^[A-Za-z][A-Za-z0-9_+/-]*$/.test(zone)) throw new RangeError(zone);
    Intl.DateTimeFormat('en', { timeZone: zone });
    return zone;
  } catch {
    errors.error('/unit/timezone', `${quote(zone)} is not a time zone such as Asia/Shanghai`);
    return null;
  }
}
