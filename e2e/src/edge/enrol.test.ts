import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { isSigned, type SignedVersion } from '../../../packages/edge/src/agent/upgrade.ts';
import { type LabConsole, slowly, startLabConsole } from './lab-console.ts';
import { labFixture } from './lab-fixture.ts';

let labConsole: LabConsole;
labFixture(async (own) => {
  labConsole = own(await startLabConsole());
});

it('makes the box a gateway that the console sees online in the network that was named', async () => {
  const { ask, folder, lab, owner, url } = labConsole;
  const { data: network } = await ask<{ gwid: string }>('/api/v3/network/create', { remark: 'Box' });
  const line = (code: string) => labConsole.line(code, network.gwid);
  const refused = await lab.try('gw', 'sh', '-c', line('NOBODYS'));
  expect(refused.code).toBe(1);
  expect(refused.stderr).toContain('binding code');
  expect(refused.stderr).toContain('installed, but not bound');

  const done = await lab.try('gw', 'sh', '-c', line(owner.bindingCode));
  expect(done, done.stderr).toMatchObject({ code: 0 });
  const identityFile = join(folder, 'etc/yunxun-edge/identity.json');
  const identity = JSON.parse(readFileSync(identityFile, 'utf8')) as { serial: string; signingKey: string };
  expect(done.stdout).toContain(`${identity.serial} is enrolled`);
  expect(statSync(identityFile).mode & 0o077).toBe(0);
  expect(identity.serial).toBe(lab.mac('gw', 'wan1').replaceAll(':', ''));

  labConsole.startAgent();
  const seen = { kind: 'gateway', keyword: identity.serial, limit: 10 };
  await expect
    .poll(async () => (await ask<{ list: object[] }>('/api/v3/ap/list', seen)).data.list, slowly)
    .toMatchObject([{ serial: identity.serial, status: 'online', gwid: network.gwid }]);

  // the pinned key signs what the console serves
  const statement = (await (await fetch(`${url}/edge/yunxun-edge.mjs.sig`)).json()) as SignedVersion;
  expect(isSigned(statement, identity.signingKey)).toBe(true);
});
