export function fullSettings(portOf: (device: string) => string, camera: string, vlans: boolean) {
  const line = { dns: [] as string[], down_mbps: null, up_mbps: null, probe: [] };
  const lan = (name: string, port: string, net: string) => ({
    name,
    address: `${net}.1/24`,
    vlan: null,
    ports: [port],
    tagged: [],
    leases: [],
    pool: { first: `${net}.100`, count: 50, lease_minutes: 360 },
  });
  const dynamic = { addressing: 'dynamic', address: null, gateway: null };
  const fixed = { addressing: 'static', address: '203.0.113.9/24', gateway: '203.0.113.1', dns: ['192.0.2.53'] };
  return {
    confirm_s: 60,
    lines: [
      { ...line, ...dynamic, name: '光纤', port: portOf('wan1'), down_mbps: 300, up_mbps: 50 },
      { ...line, ...fixed, name: 'LTE', port: portOf('wan2') },
    ],
    networks: [
      {
        ...lan('Office', portOf('lan1'), '10.7.0'),
        leases: [{ mac: camera, address: '10.7.0.20', note: 'Camera' }],
      },
      lan('Guest', portOf('lan2'), '10.8.0'),
      ...(vlans
        ? [{ ...lan('Staff', '', '10.9.0'), vlan: 20, ports: [], tagged: [portOf('lan1'), portOf('lan2')] }]
        : []),
    ],
    forwards: [
      { note: 'Camera', protocol: 'tcp', port: '8081', address: '10.7.0.20', to_port: '80' },
      { note: '', protocol: 'any', port: '5060-5070', address: '10.7.0.21', to_port: null },
    ],
    routes: [{ to: '10.20.0.0/16', via: '10.7.0.20' }],
    limits: [
      { name: 'Visitors', kind: 'network', target: 'Guest', down_mbps: 50, up_mbps: 10 },
      { name: 'Camera', kind: 'mac', target: camera, down_mbps: 20, up_mbps: 8 },
    ],
    reboot: { days: ['mon', 'thu'], at: '04:30', time_zone: 'Asia/Shanghai' },
  };
}
