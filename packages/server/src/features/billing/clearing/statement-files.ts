import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import type { billingClearing } from '@yunxun/contract';
import { invalid } from '../../../platform/failure.ts';
import { BadArchive, unzip } from '../../../platform/http/unzip.ts';
import { readAlipay } from './alipay-statement.ts';
import type { Statement } from './statement-table.ts';
import { readStripe } from './stripe-statement.ts';
import { readWechat } from './wechat-statement.ts';

const maxUnpackedBytes = 32 * 1024 * 1024;

function textOf(bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder('gb18030').decode(bytes);
  }
}

/** @throws Invalid beside `file` */
async function unpack(file: Buffer): Promise<string> {
  try {
    if (file[0] === 0x1f && file[1] === 0x8b)
      return textOf(await promisify(gunzip)(file, { maxOutputLength: maxUnpackedBytes }));
    if (file.subarray(0, 2).toString('latin1') !== 'PK') return textOf(file);
    const texts = [...unzip(file, () => true, maxUnpackedBytes).values()].map(textOf);
    return texts.find((text) => text.includes('商户订单号')) ?? texts[0] ?? '';
  } catch (error) {
    if (
      error instanceof BadArchive ||
      (error as { code?: string }).code?.startsWith('Z') ||
      error instanceof RangeError
    )
      return invalid('file', 'clearing.unreadable');
    throw error;
  }
}

const readers: Readonly<Record<billingClearing.StatementProvider, (text: string) => Statement>> = {
  wechat: readWechat,
  alipay: readAlipay,
  stripe: readStripe,
};

/** @throws Invalid beside `file` */
export async function readStatement(provider: billingClearing.StatementProvider, file: Buffer): Promise<Statement> {
  const statement = readers[provider](await unpack(file));
  if (statement.lines.length === 0 && statement.pending === 0) invalid('file', 'clearing.empty');
  return statement;
}
