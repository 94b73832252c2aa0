import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { attribute } from './dictionary.ts';
import { answered, createClients, soon } from './testing/clients.ts';
import { type RadiusServer, startRadius } from './testing/fixture.ts';
import { accountingRequest } from './testing/requests.ts';

let radius: RadiusServer;
const { accounting, client, close, eventsOf, letIn, refusalOf } = createClients(() => radius);

beforeAll(async () => {
  radius = await startRadius();
});
afterAll(async () => {
  close();
  await radius.server.stop();
});

describe('accounting', () => {
  it('gives start, interim and stop to the portal with 64-bit totals', async () => {
    const nas = await client();
    accounting(nas, 'start', 'full');
    await answered(nas.sender, 1);
    accounting(nas, 'interim', 'full', 60);
    await answered(nas.sender, 2);
    accounting(nas, 'stop', 'full', 90);
    await answered(nas.sender, 3);
    expect(eventsOf('full').map(({ kind }) => kind)).toEqual(['start', 'interim', 'stop']);
    expect(eventsOf('full')[2]).toMatchObject({
      username: 'user of full',
      mac: '9c0000000001',
      seconds: 90,
      cause: 'other',
      upBytes: 2 * 2 ** 32 + 5,
      downBytes: 90,
    });
    await soon(() => radius.state(nas.id)).toMatchObject({ accounted: 3 });
  });

  it('acknowledges known sessions, also after a restart, and notifies the portal once', async () => {
    const nas = await client();
    accounting(nas, 'start', 'again', 0, 1);
    await answered(nas.sender, 1);
    accounting(nas, 'interim', 'again', 60, 2);
    await answered(nas.sender, 2);
    await radius.server.restart();
    Object.assign(radius, radius.server.program.radiusPorts);
    accounting(nas, 'start', 'again', 0, 3);
    accounting(nas, 'interim', 'again', 60, 4);
    await answered(nas.sender, 4);
    accounting(nas, 'stop', 'again', 61, 5);
    await answered(nas.sender, 5);
    accounting(nas, 'stop', 'again', 61, 6);
    await answered(nas.sender, 6);
    // a repeated report is a sign of life
    expect(eventsOf('again').map(({ kind }) => kind)).toEqual(['start', 'interim', 'interim', 'stop']);
  });

  it('counts reports whose seconds are set back, and shows at the client what fits no rule', async () => {
    const nas = await client();
    const report = (identifier: number, seconds: number, down: number | null) => {
      const attributes = [
        attribute('Acct-Status-Type', 3),
        attribute('Acct-Session-Id', 'odd'),
        attribute('User-Name', 'odd'),
        attribute('Acct-Session-Time', seconds),
        ...(down === null ? [] : [attribute('Acct-Output-Octets', down)]),
      ];
      nas.sender.send(accountingRequest(nas.secret, identifier, attributes), radius.acct);
      return answered(nas.sender, identifier);
    };
    await report(1, 60, 10);
    await report(2, 30, 50);
    await report(3, 0, 2 ** 32 - 100);
    await report(4, 0, 100);
    expect(eventsOf('odd').map(({ downBytes }) => downBytes)).toEqual([10, 50, 2 ** 32 - 100, 2 ** 32 + 100]);
    expect(await radius.state(nas.id)).toMatchObject({ oddity: null });
    await report(5, 90, null);
    await soon(() => radius.state(nas.id)).toMatchObject({ oddity: 'no_octets' });
    await report(6, 120, 40);
    await soon(() => radius.state(nas.id)).toMatchObject({ oddity: 'counter_fell' });
    expect(eventsOf('odd').at(-1)).toMatchObject({ downBytes: 2 ** 32 + 140 });
  });

  it('knows after a restart that a client sends Gigawords', async () => {
    const nas = await client();
    const report = (identifier: number, octets: number, gigawords: number | null) => {
      const attributes = [
        attribute('Acct-Status-Type', 3),
        attribute('Acct-Session-Id', 'giga'),
        attribute('User-Name', 'giga'),
        attribute('Acct-Output-Octets', octets),
        ...(gigawords === null ? [] : [attribute('Acct-Output-Gigawords', gigawords)]),
      ];
      nas.sender.send(accountingRequest(nas.secret, identifier, attributes), radius.acct);
      return answered(nas.sender, identifier);
    };
    await report(1, 2 ** 32 - 100, 0);
    await radius.server.restart();
    Object.assign(radius, radius.server.program.radiusPorts);
    await report(2, 100, null);
    expect(eventsOf('giga').at(-1)).toMatchObject({ downBytes: 2 ** 32 });
  });

  it('does not acknowledge what the portal did not take', async () => {
    const nas = await client();
    radius.gate.isBroken = true;
    accounting(nas, 'start', 'broken', 0, 1);
    await letIn(nas);
    radius.gate.isBroken = false;
    accounting(nas, 'start', 'broken', 0, 1);
    await answered(nas.sender, 2);
    expect(eventsOf('broken')).toHaveLength(1);
  });

  it('refuses an authenticator of another secret', async () => {
    const nas = await client();
    accounting({ ...nas, secret: 'not this one' }, 'start', 'forged');
    await soon(() => refusalOf(nas.id)).toBe('wrong_secret');
    expect([nas.sender.answers, eventsOf('forged')]).toEqual([[], []]);
  });

  it('ends the open sessions of a gateway that begins anew, and no others', async () => {
    const [nas, other] = [await client(), await client()];
    accounting(nas, 'start', 'open-1', 0, 1);
    accounting(nas, 'start', 'open-2', 0, 2);
    accounting(other, 'start', 'open-3', 0, 3);
    await answered(nas.sender, 2);
    await answered(other.sender, 1);
    accounting(nas, 'on', 'boot', 0, 4);
    await answered(nas.sender, 3);
    for (const session of ['open-1', 'open-2'])
      expect(eventsOf(session).at(-1)).toMatchObject({ kind: 'stop', cause: 'nas_reboot' });
    expect(eventsOf('open-3').at(-1)).toMatchObject({ kind: 'start' });
  });
});
