import { expect } from 'vitest';
import { attribute } from '../dictionary.ts';
import { decodePacket, type Packet } from '../packet.ts';
import { grantOf, type RadiusServer, type Sender, senderAt } from './fixture.ts';
import { accessRequest, accountingRequest } from './requests.ts';

export const soon = <T>(read: () => T) => expect.poll(read);
export const answered = (sender: Sender, count: number) => soon(() => sender.answers.length).toBe(count);
export const last = (sender: Sender): Packet => decodePacket(sender.answers.at(-1)!);

const status = { start: 1, stop: 2, interim: 3, on: 7 } as const;

export interface Client {
  id: string;
  secret: string;
  source: string;
  sender: Sender;
}

export function createClients(radiusOf: () => RadiusServer) {
  const senders: Sender[] = [];
  let names = 0;

  function credential(): { username: string; password: string } {
    names += 1;
    const [username, password] = [`guest-${names}`, `one-time-${names}`];
    radiusOf().gate.credentials.set(username, { password, grant: grantOf(username) });
    return { username, password };
  }

  async function senderFrom(address: string): Promise<Sender> {
    const sender = await senderAt(address);
    senders.push(sender);
    return sender;
  }

  return {
    credential,
    senderFrom,
    async client(more: object = {}): Promise<Client> {
      const nas = await radiusOf().nas(more);
      return { ...nas, sender: await senderFrom(nas.source) };
    },
    async letIn({ secret, sender }: Pick<Client, 'secret' | 'sender'>, signs = false): Promise<Packet> {
      const before = sender.answers.length;
      sender.send(accessRequest({ secret, ...credential(), signs, identifier: 200 }), radiusOf().auth);
      await answered(sender, before + 1);
      return last(sender);
    },
    accounting(
      { secret, sender }: Pick<Client, 'secret' | 'sender'>,
      kind: keyof typeof status,
      session: string,
      seconds = 0,
      identifier = seconds % 256,
    ): void {
      const attributes = [
        attribute('Acct-Status-Type', status[kind]),
        attribute('Acct-Session-Id', session),
        attribute('User-Name', `user of ${session}`),
        attribute('Calling-Station-Id', '9C-00-00-00-00-01'),
        attribute('Acct-Session-Time', seconds),
        attribute('Acct-Input-Octets', 5),
        attribute('Acct-Input-Gigawords', 2),
        attribute('Acct-Output-Octets', seconds),
      ];
      sender.send(accountingRequest(secret, identifier, attributes), radiusOf().acct);
    },
    eventsOf: (session: string) => radiusOf().gate.events.filter(({ acctSessionId }) => acctSessionId === session),
    refusalOf: async (id: string) => (await radiusOf().state(id))?.refusal,
    close(): void {
      for (const sender of senders) sender.close();
    },
  };
}
