import type { GuestKnowledge, PlaceKind } from '@yunxun/simulator';
import type { Call } from './call.ts';
import { hostAddress, type Known } from './guests.ts';
import type { Memory } from './memory.ts';
import { newestMessage } from './outbox.ts';

export interface GuestPlace {
  name: string;
  kind: PlaceKind;
  gwid: string;
  call: Call;
}

/** Key of `Memory.notes`: codes of recharge cards by shop. */
export const cardsNote = 'cards';

/** Returns what guests of a site type, and what they are sent. */
export function knowledgeOf(
  { name, kind, gwid, call }: GuestPlace,
  { known, dataDir, memory }: { known: Known; dataDir: string; memory: Pick<Memory, 'notes'> },
): GuestKnowledge {
  let shown = { password: '', until: new Date(0).toISOString() };
  const common = {
    ...known,
    smsCode: async (phone: string, send: () => Promise<boolean>) =>
      (await newestMessage(dataDir, phone, 'portalCode', send)).code ?? '',
    cards: () => (memory.notes[cardsNote] as Record<string, string[]> | undefined)?.[name] ?? [],
  };
  if (kind !== 'office') return common;
  return {
    ...common,
    // the operation log records each view
    async dynamicPassword() {
      if (Date.parse(shown.until) <= Date.now())
        shown = await call<typeof shown>('/api/v3/portal/dynamic_password/reveal', { gwid });
      return shown.password;
    },
    host: {
      address: hostAddress,
      link: async () => (await newestMessage(dataDir, hostAddress, 'portalSponsor')).url ?? '',
    },
  };
}
