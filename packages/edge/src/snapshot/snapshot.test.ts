import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { edgeSnapshotLimits } from '@yunxun/contract/device';
import { readSubnet } from '@yunxun/contract/ipv4';
import { afterEach, describe, expect, it } from 'vitest';
import { emptyLayout, type Layout } from '../measure/layout.ts';
import { checkTarget } from '../remote/target.ts';
import { snapshot } from './index.ts';
import { readMediaAddress, readProfile, readSnapshotPath } from './onvif.ts';

const jpeg = Buffer.concat([Buffer.from([0xff, 0xd8, 0xff, 0xe0]), Buffer.alloc(200, 7)]);
const lan = { name: 'down1v0', location: '/interfaces/1', role: 'downstream' as const, device: 'br-lan', ports: [] };
const layout = { ...emptyLayout, interfaces: [lan] };
const own = [{ ...readSubnet('192.168.1.1/24')!, device: 'br-lan', text: '192.168.1.1' }];
const loopback = (authority: string) => ({
  address: '127.0.0.2',
  port: Number(authority.split(':')[1]),
  from: '127.0.0.1',
});

let server: Server | null = null;
afterEach(() => {
  server?.closeAllConnections();
  server?.close();
});

type Answer = (request: IncomingMessage, response: ServerResponse, body: string) => void;

async function camera(answer: Answer): Promise<{ port: number; asked: string[] }> {
  const asked: string[] = [];
  server = createServer((request, response) => {
    let body = '';
    request.on('data', (part: Buffer) => {
      body += part.toString();
    });
    request.on('end', () => {
      asked.push(`${request.method} ${request.url}`);
      answer(request, response, body);
    });
  });
  await new Promise<void>((resolve) => server!.listen(0, '127.0.0.2', resolve));
  return { port: (server.address() as AddressInfo).port, asked };
}

const take = async (port: number, limitMs?: number) => {
  const params = { address: '127.0.0.2', port };
  return (await snapshot(params, { check: loopback, allowed: true, ...(limitMs && { limitMs }) })).tool?.snapshot;
};
const notFound: Answer = (_request, response) => response.writeHead(404).end();
const xml = (response: ServerResponse, body: string) =>
  response
    .writeHead(200, { 'content-type': 'application/soap+xml' })
    .end(`<e:Envelope><e:Body>${body}</e:Body></e:Envelope>`);

describe('the picture of a camera', () => {
  it('comes from the address that ONVIF names, on the declared address alone', async () => {
    const { port, asked } = await camera((request, response, body) => {
      if (body.includes('GetCapabilities'))
        return xml(response, '<tt:Media><tt:XAddr>http://203.0.113.9/onvif/Media</tt:XAddr></tt:Media>');
      if (body.includes('GetProfiles'))
        return xml(response, '<trt:Profiles fixed="true" token="Profile_1"><x/></trt:Profiles>');
      if (body.includes('<ProfileToken>Profile_1<'))
        return xml(response, '<tt:Uri>http://203.0.113.9:81/pic?ch=1&amp;s=2</tt:Uri>');
      if (request.url === '/pic?ch=1&s=2') return response.writeHead(200).end(jpeg);
      return response.writeHead(404).end();
    });
    expect(await take(port)).toEqual({ picture: jpeg.toString('base64') });
    expect(asked).toEqual([
      'POST /onvif/device_service',
      'POST /onvif/Media',
      'POST /onvif/Media',
      'GET /pic?ch=1&s=2',
    ]);
  });

  it('comes from a well-known address, if that answers with a JPEG', async () => {
    const { port } = await camera((request, response) => {
      if (request.url === '/cgi-bin/snapshot.cgi') return response.end('<html>no picture</html>');
      if (request.url === '/snap.jpg') return response.end(jpeg);
      return response.writeHead(404).end();
    });
    expect(await take(port)).toEqual({ picture: jpeg.toString('base64') });
  });

  it('is none where a password is needed, nothing fits, it is too large, or nothing answers', async () => {
    const locked = await camera((_request, response) =>
      response.writeHead(401, { 'www-authenticate': 'Digest realm="x"' }).end(),
    );
    expect(await take(locked.port)).toEqual({ reason: 'password' });
    const bare = await camera(notFound);
    expect(await take(bare.port)).toEqual({ reason: 'none' });
    const redirects = await camera((_request, response) =>
      response.writeHead(302, { location: 'http://203.0.113.9/snap.jpg' }).end(),
    );
    expect(await take(redirects.port)).toEqual({ reason: 'none' });
    const large = await camera((request, response) =>
      request.method === 'GET'
        ? response.end(Buffer.concat([jpeg, Buffer.alloc(edgeSnapshotLimits.bytes)]))
        : notFound(request, response, ''),
    );
    expect(await take(large.port)).toEqual({ reason: 'too_large' });
    const silent = await camera(() => {});
    expect(await take(silent.port, 50)).toEqual({ reason: 'silent' });
    const closed = silent.port;
    server!.closeAllConnections();
    await new Promise((resolve) => server!.close(resolve));
    expect(await take(closed)).toEqual({ reason: 'silent' });
  });

  it('is fetched from no host outside the own LANs, and not without leave of the owner', async () => {
    const outside = (address: unknown, port: unknown, active: Layout = layout) =>
      snapshot({ address, port }, { check: (authority) => checkTarget(authority, active, own), allowed: true });
    const refused = { error: 0, tool: { snapshot: { reason: 'outside' } } };
    for (const address of ['203.0.113.9', '192.168.1.1', '192.168.1.255', '127.0.0.1', '10.0.0.1', 'camera', null])
      expect(await outside(address, 80), `${address}`).toMatchObject(refused);
    for (const port of [0, 65_536, null]) expect(await outside('192.168.1.64', port)).toMatchObject(refused);
    expect(await outside('192.168.1.64', 80, emptyLayout)).toMatchObject(refused);
    const { port, asked } = await camera((_request, response) => response.end(jpeg));
    const params = { address: '127.0.0.2', port };
    expect(await snapshot(params, { check: loopback, allowed: false })).toMatchObject({ error: 2 });
    expect(asked).toEqual([]);
  });

  it('ignores answers of ONVIF that are none', () => {
    expect(readMediaAddress('<tt:XAddr>file:///etc/passwd</tt:XAddr>')).toBeNull();
    expect(readMediaAddress('<tt:XAddr>\n http://192.168.1.64/onvif/Media \n</tt:XAddr>')).toBe('/onvif/Media');
    expect(readSnapshotPath('<Uri>/snap</Uri>')).toBeNull();
    expect(readSnapshotPath('<Uri>http://a/ü b</Uri>')).toBeNull();
    expect(readProfile('<trt:Profiles token="a&quot;/><x>">')).toBeNull();
  });
});
