import { expect } from 'vitest';
import { numbered } from '../../../../test/numbered.ts';
import type { Registered, TestServer } from '../../../../test/server.ts';
import { attribute, vendorAttribute } from '../../radius/dictionary.ts';
import { type Attribute, decodePacket } from '../../radius/packet.ts';
import { type Sender, senderAt } from '../../radius/testing/fixture.ts';
import { accessRequest, accountingRequest, chapResponse, msChap2Attributes } from '../../radius/testing/requests.ts';
import { contentWith, freeLimits, type memoryTemplates } from './guest.ts';
import { portalNetwork } from './portal-network.ts';

export const [name, password] = ['reception', 'open4guests'];
export const fields = { enabled: true, until: null, devices: 2 };

export interface Asking {
  typed?: string;
  mac?: string;
  /** Null: the request names none. */
  session?: string | null;
  by?: 'pap' | 'chap' | 'mschap';
  /** Default: the program of the network. */
  at?: TestServer;
}

const status = { start: 1, stop: 2, interim: 3 } as const;
let sources = 100;
let identifier = 0;

export type MemberNetwork = Awaited<ReturnType<typeof openMembers>>;

export async function openMembers(
  server: TestServer,
  owner: Registered,
  templates: ReturnType<typeof memoryTemplates>,
  limits: Partial<typeof freeLimits> = {},
) {
  const content = contentWith([{ kind: 'account', ...freeLimits, ...limits }]);
  const { gwid } = await portalNetwork(server, owner, templates, { gateway: 'uam', content });
  const call = <T = unknown>(path: string, input: object) => server.call<T>(`/api/v3/${path}`, input, owner);
  sources += 1;
  const source = `127.0.1.${sources}`;
  const nas = { name: numbered(owner, 'NAS'), gwid, source, identifier: null, require_ma: false, coa_port: 3799 };
  const { secret } = (await call<{ secret: string }>('radius/nas/create', nas)).data;
  const sender: Sender = await senderAt(source);

  async function answer(packet: Buffer, port: 'auth' | 'acct', at = server) {
    const before = sender.answers.length;
    sender.send(packet, at.program.radiusPorts[port]!);
    await expect.poll(() => sender.answers.length).toBe(before + 1);
    return decodePacket(sender.answers.at(-1)!);
  }

  function proofOf(by: Asking['by'], typed: string): { attributes: Attribute[]; success: string | null } {
    if (by === 'pap') return { attributes: [], success: null };
    const { challenge, response, success } = msChap2Attributes(name, typed);
    if (by === 'chap') {
      const proof = Buffer.concat([Buffer.of(5), chapResponse(5, typed, challenge)]);
      return { attributes: [attribute('CHAP-Challenge', challenge), attribute('CHAP-Password', proof)], success: null };
    }
    const attributes = [
      vendorAttribute('Microsoft-CHAP-Challenge', challenge),
      vendorAttribute('Microsoft-CHAP2-Response', response),
    ];
    return { attributes, success };
  }

  function request({ typed = password, mac = '02-00-00-00-0B-01', session = 'S-1', by = 'mschap' }: Asking = {}) {
    identifier = (identifier + 1) % 256;
    const { attributes, success } = proofOf(by, typed);
    const named = [attribute('Calling-Station-Id', mac)];
    if (session !== null) named.push(attribute('Acct-Session-Id', session));
    const asked = { secret, username: name, password: typed, pap: by === 'pap', signs: true, identifier };
    return { packet: accessRequest({ ...asked, attributes: [...named, ...attributes] }), success };
  }

  return {
    gwid,
    call,
    sender,
    request,
    create: async (more: object) =>
      (await call<{ id: string }>('portal/member/create', { gwid, name, password, ...fields, ...more })).data.id,
    save: (id: string, more: object) => call('portal/member/save', { gwid, id, ...fields, ...more }),
    async signIn(asking: Asking = {}) {
      const { packet, success } = request(asking);
      return { packet: await answer(packet, 'auth', asking.at), success };
    },
    account(kind: keyof typeof status, session: string, more: Attribute[] = []) {
      identifier = (identifier + 1) % 256;
      const attributes = [
        attribute('Acct-Status-Type', status[kind]),
        attribute('Acct-Session-Id', session),
        attribute('User-Name', name),
        ...more,
      ];
      return answer(accountingRequest(secret, identifier, attributes), 'acct');
    },
    online: async () => (await call<{ list: { id: string }[] }>('portal/guest/list', { gwid })).data.list,
  };
}
