import { isRandomMac } from '@yunxun/contract/device';
import type { Ended, Session, Share } from '../client-session.ts';
import { certainValue, revocable } from '../counter.ts';
import type { Device } from '../devices.ts';
import { terminalOf } from '../terminal.ts';
import type { Value } from './staging.ts';
import { dayOf } from './values.ts';
import type { Written } from './written.ts';

const day = 86_400_000;

export function writeOpen(device: Device, session: Session, out: Written): void {
  out.rows.in_session.push(sessionRow(device, session, null));
  writeShares(device, session, out);
}

export function writeEnded(device: Device, ended: Ended, out: Written): void {
  out.rows.in_session.push(sessionRow(device, ended.session, ended));
  out.days.add(dayOf(ended.endedAt));
  writeShares(device, ended.session, out);
}

export function sessionRow({ accountId, serial }: Device, s: Session, ended: Ended | null): Value[] {
  return [
    ended && new Date(ended.endedAt),
    ended?.reason ?? null,
    s.writtenAt === 0,
    s.news,
    accountId,
    serial,
    s.mac,
    s.bssid,
    s.ssid,
    s.band,
    s.port,
    s.behind?.serial ?? null,
    s.behind?.port ?? null,
    s.ip,
    s.ip6,
    s.username,
    s.authenticated,
    new Date(s.startedAt),
    new Date(s.lastAt),
    s.down,
    s.up,
    certainValue(s.tx),
    certainValue(s.rx),
    revocable(s.tx),
    revocable(s.rx),
    s.rssi,
    s.rssiMin,
    s.rssiSum,
    s.rssiN,
    s.txRate,
    s.rxRate,
  ];
}

export function writeShares({ accountId, serial }: Device, session: Session, out: Written): void {
  const { mac } = session;
  const { type, typeSource, brand, brandSource, os } = terminalOf(session);
  for (const share of session.shares) {
    out.rows.in_share.push([
      ...shareStart(accountId, serial, mac, share),
      share.down,
      share.up,
      share.rssiSum,
      share.rssiN,
      share.sessions,
      share.authenticated,
      session.band !== 0,
      isRandomMac(mac),
      session.hostname,
      type,
      typeSource,
      brand,
      brandSource,
      os,
    ]);
    for (let at = share.from; at < share.to; at += day) out.days.add(dayOf(at));
    out.days.add(dayOf(share.to));
  }
  session.shares = [];
}

const shareStart = (accountId: string, serial: string, mac: string, { bucket, from, to }: Share): Value[] => [
  accountId,
  serial,
  mac,
  new Date(bucket),
  new Date(from),
  new Date(to),
];
