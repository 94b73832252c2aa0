import { randomBytes } from 'node:crypto';
import { crc32 } from 'node:zlib';
import sharp from 'sharp';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { portalDraft } from '../../../test/portal-draft.ts';
import { type Answer, type Registered, startTestServer, type TestServer } from '../../../test/server.ts';

let server: TestServer;
let owner: Registered;

beforeAll(async () => {
  server = await startTestServer();
  owner = await server.register();
});
afterAll(() => server.stop());

interface Uploaded {
  id: string;
  url: string;
  bytes: number;
  width: number;
  height: number;
}
const call = <T = unknown>(path: string, input: object): Promise<Answer<T>> =>
  server.call<T>(`/api/v3/auth_template/${path}`, input, owner);
const upload = (file: Buffer, slot = 'logo') =>
  call<Uploaded>('picture/upload', { slot, file: file.toString('base64') });
const flat = (width: number, height: number) =>
  sharp({ create: { width, height, channels: 3, background: { r: 18, g: 100, b: 216 } } });
/** A picture that does not compress. */
const noise = (width: number, height: number) =>
  sharp(randomBytes(width * height * 3), { raw: { width, height, channels: 3 } })
    .png()
    .toBuffer();
const page = (more: object) => portalDraft({ page: { ...portalDraft().page, ...more } });

it('writes JPG, PNG and GIF anew, reduced and without metadata, and serves them strictly', async () => {
  const jpeg = await flat(3000, 1500)
    .withExif({ IFD0: { Copyright: 'secret-place', ImageDescription: '<script>alert(1)</script>' } })
    .jpeg()
    .toBuffer();
  expect(jpeg.toString('latin1')).toContain('secret-place');
  const kinds = { jpeg, png: await flat(3000, 1500).png().toBuffer(), gif: await flat(3000, 1500).gif().toBuffer() };
  for (const [kind, file] of Object.entries(kinds)) {
    const made = await upload(file);
    expect(made, JSON.stringify(made)).toMatchObject({ code: 2000, data: { width: 512, height: 256 } });
    const served = await fetch(server.url + made.data.url);
    expect(Object.fromEntries(served.headers)).toMatchObject({
      'content-type': `image/${kind}`,
      'x-content-type-options': 'nosniff',
      'cache-control': 'private, max-age=31536000, immutable',
      'content-security-policy': "default-src 'none'; sandbox",
    });
    const bytes = Buffer.from(await served.arrayBuffer());
    expect(bytes.length).toBe(made.data.bytes);
    expect(bytes.toString('latin1')).not.toMatch(/secret-place|script/);
    expect((await sharp(bytes).metadata()).exif).toBeUndefined();
  }
});

it('keeps an animation, and reads the orientation of a photo', async () => {
  const frames = await Promise.all(
    ['red', 'blue'].map((background) =>
      sharp({ create: { width: 40, height: 20, channels: 3, background } })
        .png()
        .toBuffer(),
    ),
  );
  const made = await upload(
    await sharp(frames, { join: { animated: true } })
      .gif()
      .toBuffer(),
  );
  const bytes = Buffer.from(await (await fetch(server.url + made.data.url)).arrayBuffer());
  expect(await sharp(bytes, { animated: true }).metadata()).toMatchObject({ pages: 2, pageHeight: 20 });
  const turned = await upload(await flat(40, 20).withMetadata({ orientation: 6 }).jpeg().toBuffer());
  expect(turned.data).toMatchObject({ width: 20, height: 40 });
});

it('gives the same picture the same id', async () => {
  const file = await flat(30, 30).png().toBuffer();
  const [first, second] = [await upload(file), await upload(file)];
  expect(second.data).toEqual(first.data);
  expect((await upload(file, 'background')).data.id).not.toBe(first.data.id);
});

it('answers files that are too large by name', async () => {
  const size = ['The file must not exceed 2 MB'];
  const large = Buffer.alloc(2_100_000);
  expect(await upload(Buffer.concat([large, Buffer.alloc(1)]).subarray(0, 2_099_999))).toMatchObject({
    status: 422,
    errors: { file: size },
  });
  expect(await upload(Buffer.alloc(2_600_000))).toMatchObject({ code: 4111, message: 'Upload file size exceeded' });
  const photo = await noise(450, 450);
  expect(photo.length).toBeGreaterThan(512_000);
  expect(await upload(photo, 'carousel')).toMatchObject({ errors: { file: ['The file must not exceed 500 KB'] } });
  expect(await upload(photo, 'background')).toMatchObject({ code: 2000 });
});

it('answers what is no picture, or something else besides', async () => {
  const broken = ['This file is damaged or is no JPG, PNG or GIF image'];
  const trailing = ['Something else is appended to this image; save it anew and upload that'];
  const png = await flat(10, 10).png().toBuffer();
  const jpeg = await flat(10, 10).jpeg().toBuffer();
  const gif = await flat(10, 10).gif().toBuffer();
  const files: [string, Buffer, string[]][] = [
    ['SVG', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'), broken],
    ['HTML', Buffer.from('<html></html>'), broken],
    ['WebP', await flat(10, 10).webp().toBuffer(), broken],
    ['one byte', Buffer.from([0x89]), broken],
    ['cut PNG', png.subarray(0, png.length - 20), broken],
    ['cut JPEG', jpeg.subarray(0, jpeg.length - 20), broken],
    ['GIF that is JavaScript', Buffer.from('GIF89a/*xxxxxxxx*/=1;alert(1)'), broken],
    ...[png, jpeg, gif].map((file, index): [string, Buffer, string[]] => [
      `picture ${index} with an archive behind it`,
      Buffer.concat([file, Buffer.from('PK\x03\x04<script>alert(1)</script>')]),
      trailing,
    ]),
  ];
  for (const [name, file, answer] of files) expect((await upload(file)).errors, name).toEqual({ file: answer });
  expect(await call('picture/upload', { slot: 'logo', file: 'no base64!' })).toMatchObject({
    errors: { file: ['This is not Base64 text'] },
  });
});

it('refuses a decompression bomb by its head', async () => {
  const sides = ['An image has at most 8000 pixels on a side and 24 million in all its frames'];
  const png = await flat(10, 10).png().toBuffer();
  const bomb = (width: number, height: number) => {
    const file = Buffer.from(png);
    file.writeUInt32BE(width, 16);
    file.writeUInt32BE(height, 20);
    file.writeUInt32BE(crc32(file.subarray(12, 29)), 29);
    return file;
  };
  expect((await upload(bomb(60_000, 60_000))).errors).toEqual({ file: sides });
  expect((await upload(bomb(7000, 7000))).errors).toEqual({ file: sides });
});

it('takes three carousel pictures, not four, and only into their own slot', async () => {
  const ids: string[] = [];
  for (const side of [11, 12, 13, 14])
    ids.push((await upload(await flat(side, side).png().toBuffer(), 'carousel')).data.id);
  expect(await call('create', { name: 'Four', ...page({ carousel: ids }) })).toMatchObject({
    errors: { 'page.carousel': ['At most 3 items'] },
  });
  expect(await call('create', { name: 'Slot', ...page({ logo: ids[0] }) })).toMatchObject({
    errors: { 'page.logo': ['This image no longer exists; upload it again'] },
  });
  expect(await call('create', { name: 'Three', ...page({ carousel: ids.slice(0, 3) }) })).toMatchObject({ code: 2000 });
});

it('serves a picture only by its whole address', async () => {
  const { url } = (await upload(await flat(15, 15).png().toBuffer())).data;
  const status = async (path: string) => (await fetch(server.url + path)).status;
  expect(await status(url)).toBe(200);
  expect(await status(`${url.slice(0, -3)}abc`)).toBe(404);
  expect(await status(url.replace(owner.accountId, (await server.register()).accountId))).toBe(404);
});

it('removes pictures a day after the last draft or version that used them', async () => {
  const [kept, inVersion, dropped] = await Promise.all(
    [21, 22, 23].map(async (side) => (await upload(await flat(side, side).png().toBuffer())).data),
  );
  const { data } = await call<{ id: string }>('create', { name: 'Pictures', ...page({ logo: inVersion!.id }) });
  await call('publish', { id: data.id, revision: 1 });
  await call('save', { id: data.id, revision: 1, name: 'Pictures', ...page({ logo: kept!.id }) });
  const { systemPool } = server.db.database;
  const clean = async () => {
    await systemPool.query("select graphile_worker.add_job('portal-pictures')");
    await expect
      .poll(
        async () =>
          (await systemPool.query("select from graphile_worker.jobs where task_identifier = 'portal-pictures'"))
            .rowCount,
      )
      .toBe(0);
  };
  const served = (picture: Uploaded | undefined) => fetch(server.url + picture!.url).then(({ status }) => status);
  await clean();
  expect(await served(dropped)).toBe(200);
  await systemPool.query("update portal_picture set used_at = used_at - interval '25 hours'");
  await clean();
  expect(await Promise.all([kept, inVersion, dropped].map(served))).toEqual([200, 200, 404]);
});
