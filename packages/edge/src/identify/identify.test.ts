import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setImmediate } from 'node:timers/promises';
import { readAddress } from '@yunxun/contract/ipv4';
import fc from 'fast-check';
import { afterEach, describe, expect, it } from 'vitest';
import { runs } from '../../../../tools/property-runs.ts';
import { ManualClock } from '../manual-clock.ts';
import { readDnsAnswer } from './dns-message.ts';
import { shortText } from './finding.ts';
import { identify, packetsFor } from './index.ts';
import { askIpp, readIppModel } from './ipp.ts';
import { mdnsQuery, readMdns } from './mdns.ts';
import { readSnmp, snmpGet } from './snmp.ts';
import { readSsdp } from './ssdp.ts';
import { onvifProbe, readProbeMatch } from './ws-discovery.ts';

const label = (text: string) => Buffer.concat([Buffer.from([Buffer.byteLength(text)]), Buffer.from(text)]);
const record = (owner: Buffer, type: number, data: Buffer) => {
  const middle = Buffer.from([0, type, 0x80, 0x01, 0, 0, 0, 120, 0, data.length]);
  return Buffer.concat([owner, middle, data]);
};
const pointer = (at: number) => Buffer.from([0xc0, at]);

function mdnsAnswer(service: string, instance: string, texts: readonly string[]): Buffer {
  const [first = '', second = ''] = service.split('.');
  const owner = Buffer.concat([label(first), label(second), label('local'), Buffer.from([0])]);
  const named = pointer(12 + owner.length + 10);
  const head = Buffer.from([0, 0, 0x84, 0, 0, 0, 0, 1, 0, 0, 0, 2]);
  const srv = Buffer.concat([
    Buffer.from([0, 0, 0, 0, 2, 0x77]),
    label('printer'),
    pointer(12 + first.length + second.length + 2),
  ]);
  return Buffer.concat([
    head,
    record(owner, 12, Buffer.concat([label(instance), pointer(12)])),
    record(named, 33, srv),
    record(named, 16, Buffer.concat(texts.map(label))),
  ]);
}

describe('an answer over mDNS', () => {
  it('tells the service, the name of the instance and the model', () => {
    const printer = mdnsAnswer('_ipp._tcp', 'HP LaserJet [3F2A01]', ['txtvers=1', 'ty=HP LaserJet MFP M28w', 'pdl=']);
    expect(readMdns(printer)).toEqual({
      by: 'mdns',
      type: 'printer',
      name: 'HP LaserJet [3F2A01]',
      model: 'HP LaserJet MFP M28w',
    });
    const cast = mdnsAnswer('_googlecast._tcp', 'Chromecast-1f2e3d', ['md=Chromecast', 'fn=大堂屏幕']);
    expect(readMdns(cast)).toEqual({ by: 'mdns', type: 'smart_device', name: '大堂屏幕', model: 'Chromecast' });
    expect(readMdns(mdnsAnswer('_hap._tcp', 'Doorbell', ['ci=18', 'md=D1']))?.type).toBe('camera');
    expect(readMdns(mdnsAnswer('_raop._tcp', 'A1B2C3D4E5F6@Kitchen', ['am=AudioAccessory5,1']))?.name).toBe('Kitchen');
    expect(readMdns(mdnsAnswer('_rtsp._tcp', 'Yard', []))).toMatchObject({ type: 'camera', model: null });
    expect(readMdns(mdnsAnswer('_unknown._tcp', 'Thing', []))).toBeNull();
    expect(readMdns(mdnsQuery)).toBeNull();
  });

  it('ends at pointers that form a loop or lead forwards, and at records that are cut', () => {
    const head = Buffer.from([0, 0, 0x84, 0, 0, 0, 0xff, 0xff, 0, 0, 0, 0]);
    expect(readDnsAnswer(Buffer.concat([head, pointer(12)]))).toEqual([]);
    expect(readDnsAnswer(Buffer.concat([head, pointer(14), label('a'), Buffer.from([0])]))).toEqual([]);
    const whole = mdnsAnswer('_ipp._tcp', 'HP', ['ty=HP']);
    for (let size = 0; size < whole.length; size += 1)
      expect(readDnsAnswer(whole.subarray(0, size)).length).toBeLessThan(3);
    expect(readDnsAnswer(whole)).toHaveLength(3);
  });
});

const ssdp = (...lines: string[]) =>
  Buffer.from(['HTTP/1.1 200 OK', 'CACHE-CONTROL: max-age=100', ...lines, '', ''].join('\r\n'));

it('an answer over SSDP tells device type and product', () => {
  const hue = ssdp('SERVER: Hue/1.0 UPnP/1.0 IpBridge/1.56.0', 'hue-bridgeid: 001788FFFE000095', 'ST: upnp:rootdevice');
  expect(readSsdp(hue)).toEqual({ by: 'ssdp', type: 'smart_device', name: null, model: 'IpBridge/1.56.0' });
  const nas = ssdp('SERVER: Synology/DSM/192.168.1.90', 'ST: urn:schemas-upnp-org:device:Basic:1');
  expect(readSsdp(nas)).toMatchObject({ type: 'server', model: null });
  const camera = ssdp(
    'ST: urn:schemas-upnp-org:device:DigitalSecurityCamera:1',
    'SERVER: Linux/4.9, UPnP/1.0, Portable SDK',
  );
  expect(readSsdp(camera)).toMatchObject({ type: 'camera', model: 'Portable SDK' });
  expect(readSsdp(Buffer.from('NOTIFY * HTTP/1.1\r\nNT: upnp:rootdevice\r\n\r\n'))).toBeNull();
});

const probeMatch = (types: string, scopes: string) =>
  Buffer.from(
    `<?xml version="1.0" encoding="UTF-8"?><env:Envelope xmlns:env="http://www.w3.org/2003/05/soap-envelope" xmlns:d="http://schemas.xmlsoap.org/ws/2005/04/discovery"><env:Body><d:ProbeMatches><d:ProbeMatch><d:Types>${types}</d:Types><d:Scopes MatchBy="x">${scopes}</d:Scopes><d:XAddrs>http://192.168.1.64/onvif/device_service</d:XAddrs></d:ProbeMatch></d:ProbeMatches></env:Body></env:Envelope>`,
  );

it('an answer to the ONVIF probe tells name and hardware of a video transmitter alone', () => {
  const scopes =
    'onvif://www.onvif.org/type/video_encoder onvif://www.onvif.org/hardware/DS-2CD2143G0-I onvif://www.onvif.org/name/IP%20CAMERA';
  expect(readProbeMatch(probeMatch('dn:NetworkVideoTransmitter tds:Device', scopes))).toEqual({
    by: 'onvif',
    type: 'camera',
    name: 'IP CAMERA',
    model: 'DS-2CD2143G0-I',
  });
  expect(readProbeMatch(probeMatch('wsdp:Device pub:Computer', scopes))).toBeNull();
  const hostile = 'onvif://www.onvif.org/name/%E0%A4%A onvif://www.onvif.org/hardware/a%0a%00b%e2%80%aec';
  expect(readProbeMatch(probeMatch('dn:NetworkVideoTransmitter', hostile))).toMatchObject({
    name: '%E0%A4%A',
    model: 'a b c',
  });
  expect(onvifProbe().toString()).toContain('<d:Types>dn:NetworkVideoTransmitter</d:Types>');
});

it('an answer over SNMP tells the vendor by its enterprise number, and sysName', () => {
  const h3c =
    '304702010104067075626c6963a23a020159020100020100302f301706082b06010201010200060b2b0601040181c722018922301406082b06010201010500040853353133302d3246';
  expect(readSnmp(Buffer.from(h3c, 'hex'))).toEqual({ by: 'snmp', type: 'switch', name: 'S5130-2F', model: 'H3C' });
  const jetdirect =
    '304702010104067075626c6963a23a020159020100020100302f301606082b06010201010200060a2b060104010b02030901301506082b0601020101050004094e5049334632413031';
  expect(readSnmp(Buffer.from(jetdirect, 'hex'))).toMatchObject({ type: 'printer', name: 'NPI3F2A01', model: 'HP' });
  expect(readSnmp(snmpGet)).toBeNull();
  expect(snmpGet.subarray(0, 2)).toEqual(Buffer.from([0x30, snmpGet.length - 2]));
});

describe('IPP', () => {
  const body = Buffer.concat([
    Buffer.from([1, 1, 0, 0, 0, 0, 0, 1, 0x04, 0x41, 0, 22]),
    Buffer.from('printer-make-and-model'),
    Buffer.from([0, 16]),
    Buffer.from('Brother HL-L2350'),
    Buffer.from([0x03]),
  ]);
  const servers: ReturnType<typeof createServer>[] = [];
  const serve = (type: string, answer: Buffer): Promise<number> => {
    const server = createServer((_request, response) => {
      response.setHeader('content-type', type);
      response.end(answer);
    });
    servers.push(server);
    return new Promise((resolve) => {
      server.listen(0, '127.0.0.1', () => resolve((server.address() as AddressInfo).port));
    });
  };
  afterEach(() => {
    for (const server of servers.splice(0)) server.close();
  });

  it('tells a printer and its model', async () => {
    const found = await askIpp('127.0.0.1', await serve('application/ipp', body));
    expect(found).toEqual({ by: 'ipp', type: 'printer', name: null, model: 'Brother HL-L2350' });
    expect(await askIpp('127.0.0.1', await serve('text/html', body))).toBeNull();
    expect(await askIpp('127.0.0.1', await serve('application/ipp', Buffer.alloc(1_000_000, 0x41)))).toMatchObject({
      type: 'printer',
      model: null,
    });
  });

  it('ends at lengths beyond the answer', () => {
    for (let size = 0; size < body.length - 1; size += 1) expect(readIppModel(body.subarray(0, size))).toBeNull();
  });
});

it('no answer makes a reader throw, or a long or unprintable line', () => {
  const seeds = [mdnsAnswer('_ipp._tcp', 'HP', ['ty=HP']), Buffer.from(snmpGet), ssdp('ST: x', 'SERVER: y')];
  const bytes = fc.oneof(
    fc.uint8Array({ maxLength: 600 }).map((given) => Buffer.from(given)),
    fc.tuple(fc.constantFrom(...seeds), fc.nat(200), fc.nat(255)).map(([seed, at, byte]) => {
      const changed = Buffer.from(seed);
      changed[at % changed.length] = byte;
      return changed;
    }),
  );
  const readers = [readMdns, readSsdp, readProbeMatch, readSnmp];
  fc.assert(
    fc.property(bytes, (packet) => {
      for (const read of readers) {
        const found = read(packet);
        for (const text of [found?.name, found?.model]) if (text) expect(text).toMatch(/^[^\p{C}]{1,64}$/u);
      }
      readIppModel(packet);
    }),
    runs(200, 20_000),
  );
  expect(shortText('\u0000\u202e ')).toBeNull();
  expect(shortText('x'.repeat(100_000))).toHaveLength(64);
});

describe('the questions', () => {
  const lan = (text: string, prefix: number) => ({ prefix, address: readAddress(text)! });
  const hue = ssdp('SERVER: Hue/1.0 UPnP/1.0 IpBridge/1.56.0', 'ST: upnp:rootdevice');

  async function ask(pace: (sent: number) => boolean) {
    const clock = new ManualClock(1_700_000_000_000);
    const sent: string[] = [];
    const open: { own: string; heard: (packet: Buffer, from: string) => void }[] = [];
    let closed = 0;
    const asked = identify({
      clock,
      lans: [lan('192.168.1.1', 24), lan('10.1.0.1', 24)],
      hosts: [
        { address: '192.168.1.95', ports: [80] },
        { address: '192.168.1.70', ports: [631] },
      ],
      pace: async () => pace(sent.length),
      ipp: async () => ({ by: 'ipp', type: 'printer', name: null, model: 'Brother' }),
      async open(own, heard) {
        open.push({ own, heard });
        return {
          send(_packet, port, address) {
            sent.push(`${own} ${address}:${port}`);
            if (port !== 1900 || address !== '239.255.255.250') return;
            for (const from of ['192.168.1.95', '192.168.1.200', '203.0.113.9', '10.1.0.7']) heard(hue, from);
          },
          close() {
            closed += 1;
          },
        };
      },
    });
    let found: Awaited<typeof asked> | null = null;
    void asked.then((all) => {
      found = all;
    });
    for (let step = 0; step < 1000 && found === null; step += 1) {
      clock.advance(100);
      await setImmediate();
    }
    return { found: found as Awaited<typeof asked> | null, sent, closed, opened: open.length };
  }

  it('go to groups, then to hosts that said nothing, and count answers of found hosts alone', async () => {
    const { found, sent, closed, opened } = await ask(() => true);
    expect([...found!.keys()]).toEqual(['192.168.1.95', '192.168.1.70']);
    expect(found!.get('192.168.1.95')).toMatchObject([{ by: 'ssdp', type: 'smart_device' }]);
    expect(found!.get('192.168.1.70')).toMatchObject([{ by: 'ipp', model: 'Brother' }]);
    expect(sent).toContain('192.168.1.1 192.168.1.95:161');
    expect(sent).not.toContain('192.168.1.1 192.168.1.95:1900');
    expect(sent.filter((to) => to.startsWith('10.1.0.1') && to.includes('192.168.1'))).toEqual([]);
    expect(sent.length).toBeLessThanOrEqual(packetsFor(2, 2));
    expect(closed).toBe(opened);
  });

  it('end when the scan is stopped', async () => {
    const { sent, closed, opened } = await ask((count) => count < 2);
    expect(sent).toHaveLength(2);
    expect(closed).toBe(opened);
  });
});
