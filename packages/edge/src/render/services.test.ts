import { expect, it } from 'vitest';
import { readDocument } from '../document/index.ts';
import { changed, lan } from '../document/testing/changes.ts';
import { fullFacts, type Json } from '../document/testing/documents.ts';
import { describe, type Plan, render } from './index.ts';

function plan(changes: Record<string, Json>): Plan {
  const read = readDocument(changed(changes), fullFacts);
  if ('refused' in read) throw new Error(read.refused.join('\n'));
  return render(read.document, fullFacts);
}

const ofGuests = {
  name: 'Guests',
  role: 'downstream',
  vlan: { id: 20 },
  ethernet: [{ 'select-ports': ['LAN1'], 'vlan-tag': 'tagged' }],
  ipv4: {
    addressing: 'static',
    subnet: '10.0.20.1/24',
    dhcp: { 'lease-first': 10, 'lease-count': 100, 'lease-time': '6h' },
  },
};

it('serves the time at the address of each network that has it, and names it by DHCP', () => {
  const made = plan({ [`${lan}.services`]: ['ntp'], 'interfaces.2': ofGuests });
  expect(made.services).toEqual([{ service: 'ntp', address: '192.168.1.1', port: 123 }]);
  expect(made.dnsmasq?.config.match(/^dhcp-option=.*ntp.*$/gm)).toEqual([
    expect.stringMatching(/^dhcp-option=tag:[\w-]+,option:ntp-server,192\.168\.1\.1$/),
  ]);
  expect(describe(plan({}), made)).toContain('+ ntp 192.168.1.1 port 123');
  // an untagged network reaches the gateway anyway
  expect(made.nft).not.toContain('dport 123');
});

it('opens the port to a VLAN network only', () => {
  const made = plan({ 'interfaces.2': { ...ofGuests, services: ['ntp', 'ssh'] } });
  const { device } = made.links.find(({ kind }) => kind === 'vlan')!;
  expect(made.nft).toContain(`iifname { "${device}" } udp dport 123 accept`);
  expect(made.nft).toContain(`iifname { "${device}" } tcp dport 22 accept`);
});

it('serves nothing on a WAN', () => {
  const read = readDocument(changed({ 'interfaces.0.services': ['ntp'] }), fullFacts);
  expect(read).toMatchObject({
    rejected: ['[W] (In /interfaces/0/services/0) "ntp" is not a service of this gateway'],
    document: { uplinks: [{ services: [] }] },
  });
});
