import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { glance, readConntrackLine } from './conntrack.ts';
import { serverName } from './hello.ts';
import { Names, readDnsLine } from './names.ts';
import { PcapReader, segmentOf } from './pcap.ts';
import { speaksIpv6 } from './watchers.ts';

const tcp =
  'tcp      6 431999 ESTABLISHED src=10.1.0.10 dst=192.0.2.11 sport=40000 dport=443 packets=5 bytes=300 ' +
  'src=192.0.2.11 dst=198.51.100.2 sport=443 dport=40000 packets=9 bytes=9000 [ASSURED] mark=0 use=1 id=2612542528';

describe('a line of conntrack', () => {
  it('is read as the tool writes it: lists, events, echo requests, IPv6', () => {
    expect(readConntrackLine(tcp)).toEqual({
      event: null,
      connection: {
        id: 2612542528,
        protocol: 'tcp',
        original: { src: '10.1.0.10', dst: '192.0.2.11', sport: 40_000, dport: 443, packets: 5, bytes: 300 },
        reply: { src: '192.0.2.11', dst: '198.51.100.2', sport: 443, dport: 40_000, packets: 9, bytes: 9000 },
      },
    });
    const echo =
      '[1795284985.160816]\t[DESTROY] icmp     1 29 src=10.9.0.2 dst=10.9.0.1 type=8 code=0 id=17027 packets=2 bytes=168 ' +
      'src=10.9.0.1 dst=10.9.0.2 type=0 code=0 id=17027 packets=2 bytes=168 id=99 [USERSPACE] portid=3529030358';
    expect(readConntrackLine(echo)).toMatchObject({
      event: 'DESTROY',
      connection: { id: 99, protocol: 'icmp', original: { dport: null, bytes: 168 } },
    });
    const six =
      '    [NEW] udp 17 30 src=fd00::1 dst=2001:db8::2 sport=1 dport=53 [UNREPLIED] src=2001:db8::2 dst=fd00::1 sport=53 dport=1 id=7';
    expect(readConntrackLine(six)).toMatchObject({
      event: 'NEW',
      connection: { id: 7, original: { src: 'fd00::1', bytes: null } },
    });
  });

  it('shows id and bytes at a glance, the same as when it is read', () => {
    expect(glance(tcp)).toEqual({ id: 2612542528, bytes: 9300 });
    for (const line of [
      '',
      tcp.replace('bytes=9000', ''),
      tcp.replace(/ id=.*/, ''),
      tcp.replace('bytes=300', 'bytes=x'),
    ])
      expect(glance(line), line).toBeNull();
  });

  it('says nothing without an id, without both ways, or with addresses that are none', () => {
    expect(readConntrackLine(tcp.replace(/ id=.*/, ''))).toBeNull();
    expect(readConntrackLine(tcp.replace('src=192.0.2.11', ''))).toBeNull();
    expect(readConntrackLine(tcp.replace('10.1.0.10', '10.1.0.999'))).toBeNull();
    expect(readConntrackLine(tcp.replace('bytes=300', 'bytes=-3'))?.connection.original.bytes).toBeNull();
    expect(readConntrackLine('conntrack v1.4.7 (conntrack-tools): 1 flow entries have been shown.')).toBeNull();
  });

  it('never throws, whatever it is', () => {
    fc.assert(fc.property(fc.string({ unit: 'binary' }), (line) => void readConntrackLine(line)));
    fc.assert(
      fc.property(fc.nat(tcp.length), fc.nat(tcp.length), fc.string(), (from, to, text) => {
        const line = tcp.slice(0, from) + text + tcp.slice(to);
        const read = readConntrackLine(line);
        glance(line);
        for (const way of read ? [read.connection.original, read.connection.reply] : [])
          expect(way.bytes === null || Number.isSafeInteger(way.bytes)).toBe(true);
      }),
    );
  });
});

describe("a line of dnsmasq's log", () => {
  const log = `Nov 21 18:00:00 dnsmasq[41]: 7 10.1.0.10/51234 query[A] www.example.com from 10.1.0.10
Nov 21 18:00:00 dnsmasq[41]: 7 10.1.0.10/51234 forwarded www.example.com to 192.0.2.53
Nov 21 18:00:00 dnsmasq[41]: 7 10.1.0.10/51234 reply www.example.com is <CNAME>
Nov 21 18:00:00 dnsmasq[41]: 7 10.1.0.10/51234 reply edge7.cdn.example is 192.0.2.11
Nov 21 18:00:01 dnsmasq[41]: 8 10.1.0.11/51235 query[AAAA] gone.example from 10.1.0.11
Nov 21 18:00:01 dnsmasq[41]: 8 10.1.0.11/51235 config gone.example is NXDOMAIN`;

  it('gives an address the name that the client asked for, not the one at the end of a chain', () => {
    const names = new Names(1000);
    for (const line of log.split('\n')) {
      const read = readDnsLine(line);
      if (read) names.take(read, 5000);
    }
    expect(names.nameOf('10.1.0.10', '192.0.2.11', 6000)).toBe('www.example.com');
    expect(names.nameOf('10.1.0.10', '192.0.2.11', 6001)).toBeNull();
    expect(names.nameOf('10.1.0.11', '192.0.2.11', 5000)).toBeNull();
  });

  it('is a refusal only where the configuration gave the answer', () => {
    const refusal = log.split('\n').at(-1)!;
    expect(readDnsLine(refusal)).toEqual({ kind: 'refused', serial: 8, client: '10.1.0.11', name: 'gone.example' });
    expect(readDnsLine(refusal.replace('config', 'reply'))).toBeNull();
  });

  it('keeps to its bounds', () => {
    const names = new Names(1000, 2, 2);
    for (const client of ['10.0.0.1', '10.0.0.2', '10.0.0.3'])
      for (const address of ['1.1.1.1', '2.2.2.2', '3.3.3.3'])
        names.take({ kind: 'answer', serial: 1, client, name: 'a.example', address }, 0);
    expect(names.nameOf('10.0.0.1', '3.3.3.3', 0)).toBeNull();
    expect(names.nameOf('10.0.0.3', '1.1.1.1', 0)).toBeNull();
    expect(names.nameOf('10.0.0.3', '3.3.3.3', 0)).toBe('a.example');
    const few = new Names(1000, 10, 10, 3);
    for (const client of ['10.0.0.1', '10.0.0.2'])
      for (const address of ['1.1.1.1', '2.2.2.2'])
        few.take({ kind: 'answer', serial: 1, client, name: 'a.example', address }, 0);
    expect(few.nameOf('10.0.0.1', '2.2.2.2', 0)).toBeNull();
    expect(few.nameOf('10.0.0.2', '1.1.1.1', 0)).toBe('a.example');
  });

  it('never throws, whatever it is', () => {
    fc.assert(fc.property(fc.string({ unit: 'binary' }), (line) => void readDnsLine(line)));
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (name) => {
        const read = readDnsLine(`dnsmasq[1]: 7 10.1.0.10/1 reply ${name} is 1.2.3.4`);
        if (read) expect(name.toLowerCase()).toContain(read.name);
      }),
    );
  });
});

function hello(name: string): Buffer {
  const host = Buffer.from(name, 'latin1');
  const u16 = (value: number) => Buffer.from([value >> 8, value & 255]);
  const extension = Buffer.concat([u16(host.length + 3), Buffer.from([0]), u16(host.length), host]);
  const other = Buffer.concat([u16(43), u16(3), Buffer.from([2, 3, 4])]);
  const extensions = Buffer.concat([other, u16(0), u16(extension.length), extension]);
  const body = Buffer.concat([
    Buffer.from([3, 3]),
    Buffer.alloc(32, 7),
    Buffer.from([0]),
    u16(2),
    Buffer.from([0x13, 1]),
    Buffer.from([1, 0]),
    u16(extensions.length),
    extensions,
  ]);
  const handshake = Buffer.concat([Buffer.from([1, 0]), u16(body.length), body]);
  return Buffer.concat([Buffer.from([22, 3, 1]), u16(handshake.length), handshake]);
}

function frame(payload: Uint8Array): Buffer {
  const bytes = Buffer.alloc(14 + 20 + 20 + payload.length);
  bytes.writeUInt16BE(0x0800, 12);
  bytes[14] = 0x45;
  bytes.writeUInt16BE(40 + payload.length, 16);
  bytes[23] = 6;
  bytes.set([10, 1, 0, 10, 192, 0, 2, 11], 26);
  bytes.writeUInt16BE(40_000, 34);
  bytes.writeUInt16BE(443, 36);
  bytes[46] = 0x50;
  bytes.set(payload, 54);
  return bytes;
}

function capture(frames: readonly Uint8Array[]): Buffer {
  const head = Buffer.alloc(24);
  head.writeUInt32LE(0xa1b2c3d4, 0);
  head.writeUInt32LE(1, 20);
  const records = frames.flatMap((one) => {
    const record = Buffer.alloc(16);
    record.writeUInt32LE(one.length, 8);
    record.writeUInt32LE(one.length, 12);
    return [record, one];
  });
  return Buffer.concat([head, ...records]);
}

it('asks for IPv6 only where the box has an address that leads anywhere', () => {
  const local =
    'fe80000000000000045cfffffe000001 02 40 20 80     eth0\n00000000000000000000000000000001 01 80 10 80       lo\n';
  expect(speaksIpv6(local)).toBe(false);
  expect(speaksIpv6(`${local}20010db8000000000000000000000001 02 40 00 80     eth0\n`)).toBe(true);
  expect(speaksIpv6(null)).toBe(false);
});

describe('a capture of ClientHellos', () => {
  it('gives the name of each, however it is cut into pieces', () => {
    const file = capture([frame(hello('cdn.Example.com')), frame(Buffer.from('GET /')), frame(hello('b.example'))]);
    fc.assert(
      fc.property(fc.array(fc.nat(file.length), { maxLength: 8 }), (cuts) => {
        const reader = new PcapReader();
        const edges = [0, ...cuts.sort((a, b) => a - b), file.length];
        const packets = edges.slice(1).flatMap((end, index) => reader.push(file.subarray(edges[index], end)));
        const names = packets.map((packet) => serverName(segmentOf(packet)!.payload));
        expect(names).toEqual(['cdn.example.com', null, 'b.example']);
      }),
    );
    expect(segmentOf(frame(hello('b.example')))).toMatchObject({
      src: '10.1.0.10',
      dst: '192.0.2.11',
      sport: 40_000,
      dport: 443,
    });
  });

  it('never throws, and says no name that is not there', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), (bytes) => {
        serverName(bytes);
        segmentOf(bytes);
        new PcapReader().push(bytes);
      }),
    );
    const whole = hello('cdn.example.com');
    fc.assert(
      fc.property(fc.nat(whole.length - 1), (cut) => {
        expect(serverName(whole.subarray(0, cut))).toBeNull();
      }),
    );
    fc.assert(
      fc.property(fc.nat(whole.length - 1), fc.nat(255), (at, value) => {
        const bent = Buffer.from(whole);
        bent[at] = value;
        const name = serverName(bent);
        if (name !== null) expect(bent.toString('latin1').toLowerCase()).toContain(name);
      }),
    );
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 60 }), (bytes) => {
        const reader = new PcapReader();
        reader.push(capture([]));
        for (const packet of reader.push(bytes)) segmentOf(packet);
      }),
    );
  });
});
