import type { Seed } from '@yunxun/contract';
import type { TestServer } from './server.ts';

/** Long-lived QR code: worlds are used for a while. */
export async function makeQr(server: TestServer): Promise<Pick<Seed, 'qrCode'>> {
  const { data } = await server.call<{ qruuid: string; url: string }>('/api/v3/qrcode/create');
  await server.db.database.systemPool.query(
    `update qr_login set expires_at = expires_at + interval '1 hour' where qruuid = $1`,
    [data.qruuid],
  );
  return { qrCode: data.url.split('/').at(-1)! };
}
