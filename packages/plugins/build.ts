import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildCatalogue, makeKey, packArchive, publicKeyOf } from './pack.ts';

const [keyFile, out, publisher = 'Yunxun'] = process.argv.slice(2);
if (keyFile === undefined || out === undefined) {
  process.stderr.write(
    'npx tsx packages/plugins/build.ts <private key, made if absent> <catalogue.tar.gz> [publisher]\n',
  );
  process.exit(2);
}
if (!existsSync(keyFile)) writeFileSync(keyFile, makeKey().pem, { mode: 0o600 });
const pem = readFileSync(keyFile, 'utf8');
writeFileSync(out, packArchive(buildCatalogue([join(import.meta.dirname, 'metrics')], publisher, pem)));
process.stdout.write(`${out}\npublic key: ${publicKeyOf(pem)}\n`);
