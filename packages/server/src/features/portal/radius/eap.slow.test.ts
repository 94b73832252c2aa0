import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestServer, type TestServer } from '../../../../test/server.ts';
import { attribute } from '../../radius/dictionary.ts';
import { codes, decodePacket } from '../../radius/packet.ts';
import { type Sender, senderAt } from '../../radius/testing/fixture.ts';
import { accountingRequest } from '../../radius/testing/requests.ts';
import { hasFreeradius, startFreeradius } from '../testing/freeradius.ts';
import { memoryTemplates } from '../testing/guest.ts';
import { type MemberNetwork, name, openMembers, password } from '../testing/radius-members.ts';

const opened = { port: 0, isChosen: true };
const mac = '02:00:00:00:0b:01';

describe.skipIf(!hasFreeradius && !process.env.SYSTEM_TESTS)('802.1X through FreeRADIUS', () => {
  const templates = memoryTemplates();
  let server: TestServer;
  let network: MemberNetwork;
  let freeradius: Awaited<ReturnType<typeof startFreeradius>>;
  let accessPoint: Sender;
  let id: string;

  beforeAll(async () => {
    server = await startTestServer({
      portalTemplates: templates,
      config: { radiusAuthPort: opened, radiusAcctPort: opened },
    });
    network = await openMembers(server, await server.register(), templates);
    id = await network.create({ radius: true });
    const nas = { name: 'FreeRADIUS', gwid: network.gwid, source: '127.0.0.1', identifier: null };
    const made = await network.call<{ secret: string }>('radius/nas/create', {
      ...nas,
      require_ma: true,
      coa_port: 3799,
    });
    const { auth, acct } = server.program.radiusPorts;
    freeradius = await startFreeradius({ auth: auth!, acct: acct!, secret: made.data.secret });
    accessPoint = await senderAt('127.0.2.1');
  });
  afterAll(async () => {
    accessPoint.close();
    await freeradius.stop();
    await server.stop();
  });

  const signIn = (by: 'PEAP' | 'TTLS', typed: string, session: string) =>
    freeradius.signIn({ by, name, password: typed, session, mac });

  async function report(status: number, session: string, bytes: number): Promise<void> {
    const packet = accountingRequest(freeradius.secret, bytes % 256, [
      attribute('Acct-Status-Type', status),
      attribute('Acct-Session-Id', session),
      attribute('User-Name', 'anonymous'),
      attribute('Calling-Station-Id', mac),
      attribute('Acct-Session-Time', bytes),
      attribute('Acct-Output-Octets', bytes),
    ]);
    const before = accessPoint.answers.length;
    accessPoint.send(packet, freeradius.acct);
    await expect.poll(() => accessPoint.answers.length).toBe(before + 1);
    expect(decodePacket(accessPoint.answers.at(-1)!).code).toBe(codes.accountingResponse);
  }

  it('lets an account in by PEAP and by EAP-TTLS, with the limits of the network', async () => {
    for (const by of ['PEAP', 'TTLS'] as const) {
      const accepted = await signIn(by, password, 'S-1');
      expect(accepted).toContain('Attribute 27 (Session-Timeout)');
    }
    expect(await network.online()).toMatchObject([{ identity: name, mac }]);
  });

  it('takes the accounting of the access point, whose user is anonymous', async () => {
    await report(1, 'S-1', 0);
    await report(3, 'S-1', 120);
    expect(await network.online()).toMatchObject([{ down_bytes: 120 }]);
    await report(2, 'S-1', 150);
    expect(await network.online()).toEqual([]);
  });

  it('refuses a wrong password, and an account that is off', async () => {
    expect(await signIn('PEAP', 'guess', 'S-2')).toBeNull();
    expect(await signIn('TTLS', 'guess', 'S-2')).toBeNull();
    expect(await signIn('PEAP', password, 'S-2')).not.toBeNull();
    await network.save(id, { enabled: false });
    expect(await signIn('PEAP', password, 'S-2')).toBeNull();
    expect(await signIn('TTLS', password, 'S-2')).toBeNull();
  });
});
