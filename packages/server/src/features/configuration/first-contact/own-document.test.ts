import { describe, expect, it } from 'vitest';
import { parseOwnDocument } from './own-document.ts';
import { rebuildDocument } from './rebuild.ts';
import { rolesOf } from './roles.ts';
import { withTelemetry } from './telemetry.ts';

const wan = { name: 'WAN', role: 'upstream', ethernet: [{ 'select-ports': ['WAN*'] }] };
const own = (more: object = {}) => JSON.stringify({ uuid: 7, interfaces: [wan], ...more });

describe('a printed configuration', () => {
  it('is taken over whole, without its number', () => {
    expect(parseOwnDocument(own({ 'config-raw': [['a']] }), 7)).toEqual({ interfaces: [wan], 'config-raw': [['a']] });
  });

  it('counts as the factory configuration without a number', () => {
    expect(parseOwnDocument(JSON.stringify({ interfaces: [wan] }), 1)).toEqual({ interfaces: [wan] });
    expect(parseOwnDocument(JSON.stringify({ interfaces: [wan] }), null)).toEqual({ interfaces: [wan] });
  });

  it('is refused when the device runs another one', () => {
    expect(parseOwnDocument(own(), 8)).toBe('other_document');
  });

  it.each([
    ['cut off', own().slice(0, 20), 'unreadable'],
    ['no object', '[]', 'unreadable'],
    ['nothing', '', 'unreadable'],
    ['without interfaces', '{"uuid":7}', 'not_valid'],
    ['without a way out', own({ interfaces: [{ role: 'downstream' }] }), 'not_valid'],
    ['SSIDs that are no list', own({ interfaces: [{ ...wan, ssids: {} }] }), 'not_valid'],
    ['radios that are no list', own({ radios: 'x' }), 'not_valid'],
    ['very deep', `{"uuid":7,"x":${'['.repeat(40)}${']'.repeat(40)}}`, 'not_valid'],
    ['very large', own({ x: 'x'.repeat(300_000) }), 'too_large'],
  ])('is refused: %s', (_what, text, reason) => {
    expect(parseOwnDocument(text, 7)).toBe(reason);
  });

  it('gets the reports of the console and keeps its own', () => {
    const metrics = { statistics: { interval: 600, types: ['tid-stats'] }, 'wifi-scan': { interval: 900 } };
    expect(withTelemetry({ unit: {}, interfaces: [], metrics }).metrics).toEqual({
      statistics: { interval: 60, types: ['tid-stats', 'ssids', 'lldp', 'clients'] },
      health: { interval: 60 },
      realtime: { types: ['client', 'wired', 'health', 'wifi', 'unit'] },
      'wifi-scan': { interval: 900 },
    });
  });
});

describe('a state report', () => {
  const up = { name: 'up0v0', ipv4: { addresses: ['203.0.113.2/24'] } };
  const down = { name: 'down1v0', ipv4: { addresses: ['192.168.1.1/24'] } };
  const state = (...interfaces: object[]) => ({ interfaces });

  it('shows the roles; without interfaces it shows none', () => {
    expect(rolesOf(state(up, down))).toEqual({
      routes: true,
      lan: '192.168.1.1/24',
      serves: false,
      listsClients: false,
    });
    expect(rolesOf(state(up))).toMatchObject({ routes: false, lan: null });
    expect(rolesOf(state(up, { ...down, clients: [{}] }))).toMatchObject({ serves: true, listsClients: true });
    expect(rolesOf({ unit: {} })).toBeNull();
  });

  it('is enough to rebuild the factory configuration, and no other', () => {
    const rebuilt = rebuildDocument(state(up, down), 1);
    expect(rebuilt).toMatchObject({
      interfaces: [
        { role: 'upstream', ipv4: { addressing: 'dynamic' } },
        { role: 'downstream', ipv4: { subnet: '192.168.1.1/24', dhcp: { 'lease-first': 10, 'lease-count': 100 } } },
      ],
    });
    expect(rebuildDocument(state(up), 1)).toMatchObject({ interfaces: [{ role: 'upstream' }] });
    expect(rebuildDocument(state(up, down), 1_700_000_000)).toBe('configured_elsewhere');
    expect(rebuildDocument(state(up, { ...down, ipv4: { addresses: ['10.0.0.1/24'] } }), 1)).toBe('not_factory');
    expect(rebuildDocument(state(up, { ...down, ssids: [{ ssid: 'x' }] }), 1)).toBe('not_factory');
    expect(rebuildDocument(state(up, down, { name: 'down2v20' }), 1)).toBe('not_factory');
  });
});
