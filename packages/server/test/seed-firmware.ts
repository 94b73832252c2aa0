import { createHash } from 'node:crypto';
import type { Seed } from '@yunxun/contract';
import type { Registered, TestServer } from './server.ts';

const bytes = Buffer.from('first');

export async function makeFirmware(server: TestServer, owner: Registered): Promise<Pick<Seed, 'firmware'>> {
  const call = async <T>(path: string, input: object): Promise<T> => {
    const answer = await server.call<T>(`/api/v3/firmware/image/${path}`, input, owner);
    if (answer.code !== 2000) throw new Error(`firmware/image/${path}: ${answer.code} ${answer.message}`);
    return answer.data;
  };
  const image = { version: 'v5.1.0', models: ['Test AP'], sha256: createHash('sha256').update(bytes).digest('hex') };
  const { id } = await call<{ id: string }>('create', { ...image, name: 'upload.bin', size: bytes.length });
  await call('part', { id, part: 0, data: bytes.toString('base64') });
  const uri = 'http://images.example.org/test-ap-v5.1.0.bin';
  const ready = await call<{ id: string }>('create', { ...image, name: 'test-ap-v5.1.0.bin', uri });
  return { firmware: { id, readyId: ready.id } };
}
