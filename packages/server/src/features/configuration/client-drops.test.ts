import { describe, expect, it } from 'vitest';
import { clientDrops, sumDrops } from './client-drops.ts';
import type { DocumentRadio, DocumentSsid, UcentralDocument } from './compile/document.ts';

const homeSsid: DocumentSsid = {
  name: 'House',
  'wifi-bands': ['2G', '5G'],
  'bss-mode': 'ap',
  encryption: { proto: 'psk2', key: 'welcome-2026' },
};
const guest: DocumentSsid = {
  name: 'Guest',
  'wifi-bands': ['2G'],
  'bss-mode': 'ap',
  encryption: { proto: 'none' },
};
const radios: DocumentRadio[] = [
  { band: '2G', channel: 1, 'channel-width': 20 },
  { band: '5G', channel: 36, 'channel-width': 80 },
];
const document = (ssids: DocumentSsid[], own = radios): UcentralDocument => ({
  unit: {},
  radios: own,
  interfaces: [{ name: 'WAN', role: 'upstream', ssids }],
  metrics: {},
});
const on = (ssid: string, band: string | undefined, clients: number) => ({
  ssid,
  band,
  associations: Array.from({ length: clients }, (_, n) => ({ station: `02:00:00:00:00:0${n}` })),
});
const report = { interfaces: [{ ssids: [on('House', '2G', 2), on('House', '5G', 3), on('Guest', '2G', 1)] }] };
const deny = (...macs: string[]) => ({ 'access-control-list': { mode: 'deny' as const, 'mac-address': macs } });

function drops(ssids: DocumentSsid[], after: DocumentSsid[], own = radios) {
  return clientDrops(report, document(ssids), document(after, own));
}

describe('clients that drop', () => {
  it('are those of the radio whose channel changes', () => {
    const moved = radios.map((radio) => (radio.band === '5G' ? { ...radio, channel: 44 } : radio));
    expect(drops([homeSsid, guest], [homeSsid, guest], moved)).toEqual({
      drop: 3,
      lost: 0,
      causes: [{ cause: 'radio_changed', radios: 1, clients: 3 }],
    });
  });

  it('are all those of the radios on which an SSID is added', () => {
    expect(drops([homeSsid], [homeSsid, guest]).causes).toEqual([{ cause: 'ssid_added', radios: 1, clients: 3 }]);
    const both = { ...guest, 'wifi-bands': ['2G', '5G'] };
    expect(drops([homeSsid], [homeSsid, both])).toMatchObject({
      drop: 6,
      causes: [{ cause: 'ssid_added', radios: 2, clients: 6 }],
    });
  });

  it('are all those of the radios of a renamed SSID, unless it changes in other ways too', () => {
    const renamed = { ...homeSsid, name: 'Villa' };
    expect(drops([homeSsid, guest], [renamed, guest])).toEqual({
      drop: 6,
      lost: 5,
      causes: [{ cause: 'ssid_renamed', radios: 2, clients: 6 }],
    });
    const another = { ...renamed, encryption: { proto: 'psk2', key: 'another-2026' } };
    expect(drops([homeSsid], [another]).causes).toEqual([{ cause: 'ssid_added', radios: 2, clients: 6 }]);
    expect(drops([homeSsid], [renamed, { ...guest, 'wifi-bands': ['5G'] }]).causes).toEqual([
      { cause: 'ssid_renamed', radios: 1, clients: 3 },
      { cause: 'ssid_added', radios: 1, clients: 3 },
    ]);
  });

  it('are all those of the radio from which an SSID goes, of which only that SSID’s do not come back', () => {
    expect(drops([homeSsid, guest], [homeSsid])).toEqual({
      drop: 3,
      lost: 1,
      causes: [{ cause: 'ssid_removed', radios: 1, clients: 3 }],
    });
  });

  it('are those of the SSID whose key changes', () => {
    const rekeyed = { ...homeSsid, encryption: { proto: 'psk2', key: 'another-2026' } };
    expect(drops([homeSsid, guest], [rekeyed, guest])).toEqual({
      drop: 5,
      lost: 5,
      causes: [{ cause: 'ssid_changed', radios: 0, clients: 5 }],
    });
  });

  it('are none when only deny list entries or rates change', () => {
    const limited = (rate: number) => ({ 'rate-limit': { 'ingress-rate': rate, 'egress-rate': rate } });
    const before = { ...homeSsid, ...deny('02:00:00:00:00:01'), ...limited(10) };
    const after = { ...homeSsid, ...deny('02:00:00:00:00:01', '02:00:00:00:00:02'), ...limited(20) };
    expect(drops([before, guest], [after, guest])).toEqual({
      drop: 0,
      lost: 0,
      causes: [{ cause: 'no_restart', radios: 0, clients: 0 }],
    });
  });

  it('are none when the existing deny list gets its first entry', () => {
    const after = { ...homeSsid, ...deny('02:00:00:00:00:01') };
    expect(drops([{ ...homeSsid, ...deny() }, guest], [after, guest]).drop).toBe(0);
  });

  it('are those of the SSID in which the deny list appears', () => {
    expect(drops([homeSsid, guest], [{ ...homeSsid, ...deny('02:00:00:00:00:01') }, guest])).toMatchObject({
      drop: 5,
      lost: 0,
      causes: [{ cause: 'ssid_changed', radios: 0, clients: 5 }],
    });
  });

  it('are those of the radio when the weakest signal it lets in changes', () => {
    const signal = { 'quality-thresholds': { 'association-request-rssi': -75, 'client-kick-rssi': -75 } };
    expect(drops([homeSsid, guest], [homeSsid, { ...guest, ...signal }]).causes).toEqual([
      { cause: 'radio_changed', radios: 1, clients: 3 },
    ]);
  });

  it('are all clients at a first configuration, and clients of an SSID without a band where any radio restarts', () => {
    expect(clientDrops(report, null, document([homeSsid]))).toMatchObject({
      drop: 6,
      causes: [{ cause: 'first', radios: 2, clients: 6 }],
    });
    const old = { interfaces: [{ ssids: [on('House', undefined, 4)] }] };
    expect(clientDrops(old, document([homeSsid]), document([homeSsid, guest])).drop).toBe(4);
  });

  it('are summed over access points by cause, most clients first', () => {
    const added = [{ cause: 'ssid_added' as const, radios: 2, clients: 7 }];
    const quiet = [{ cause: 'no_restart' as const, radios: 0, clients: 0 }];
    expect(sumDrops([quiet, added, added])).toEqual([
      { cause: 'ssid_added', devices: 2, radios: 4, terminals: 14 },
      { cause: 'no_restart', devices: 1, radios: 0, terminals: 0 },
    ]);
  });
});
