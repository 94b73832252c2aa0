import { gzipSync } from 'node:zlib';

/** Uploads a file as the firmware's curl does. Returns the error, or null. */
export async function bringFile(uri: string, serial: string, bytes: Buffer): Promise<string | null> {
  const form = new FormData();
  form.set('name', serial);
  form.set('data', new Blob([new Uint8Array(bytes)]), `${serial}.bin`);
  try {
    const response = await fetch(uri, { method: 'POST', body: form });
    await response.arrayBuffer();
    return response.ok ? null : `curl: (22) The requested URL returned error: ${response.status}`;
  } catch (error) {
    return `curl: (7) ${error instanceof Error ? error.message : 'failed'}`;
  }
}

/** Builds a libpcap file of ARP requests for the gateway, one per second. */
export function captureOf(serial: string, packets: number, endMs: number): Buffer {
  const head = Buffer.alloc(24);
  head.writeUInt32LE(0xa1b2c3d4, 0);
  head.writeUInt16LE(2, 4);
  head.writeUInt16LE(4, 6);
  head.writeUInt32LE(512, 16);
  head.writeUInt32LE(1, 20);
  const frame = Buffer.concat([
    Buffer.from('ffffffffffff', 'hex'),
    Buffer.from(serial, 'hex'),
    Buffer.from('08060001080006040001', 'hex'),
    Buffer.from(serial, 'hex'),
    Buffer.from([192, 168, 1, 9]),
    Buffer.alloc(6),
    Buffer.from([192, 168, 1, 1]),
  ]);
  const records = Array.from({ length: packets }, (_, at) => {
    const record = Buffer.alloc(16);
    record.writeUInt32LE(Math.floor(endMs / 1000) - packets + at, 0);
    record.writeUInt32LE(frame.length, 8);
    record.writeUInt32LE(frame.length, 12);
    return Buffer.concat([record, frame]);
  });
  return Buffer.concat([head, ...records]);
}

export function supportBundle(serial: string): Buffer {
  const text = Buffer.from(`support bundle of the simulated device ${serial}\n`);
  const head = Buffer.alloc(512);
  head.write('bundle/about.txt', 0);
  head.write('0000644\0', 100);
  head.write('0000000\0', 108);
  head.write('0000000\0', 116);
  head.write(`${text.length.toString(8).padStart(11, '0')}\0`, 124);
  head.write('00000000000\0', 136);
  head.write('        ', 148);
  head.write('0', 156);
  head.write('ustar\u000000', 257);
  const sum = head.reduce((total, byte) => total + byte, 0);
  head.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148);
  const body = Buffer.alloc(Math.ceil(text.length / 512) * 512);
  text.copy(body);
  return gzipSync(Buffer.concat([head, body, Buffer.alloc(1024)]));
}
