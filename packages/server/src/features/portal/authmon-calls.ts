import type { Tx } from '../../platform/database/index.ts';
import type { RedirectRequest } from './adapters/adapter.ts';
import { type AuthmonCall, acknowledged, authmonList, maxEntries, parseDeauthed } from './adapters/authmon.ts';
import { markOf } from './adapters/secrets-in-use.ts';
import { minutesAt, putOnline } from './grant.ts';
import type { GuestSite } from './page-frame.ts';
import { changeSession, findTicket, offersOf, openOffers } from './session-store.ts';
import { endOldSecret, noteSeen } from './site-store.ts';

/** Per acknowledgement; an answer names four. */
const maxAcknowledged = 50;

/**
 * Has no secret: `clear` and `list` change nothing, acknowledgements need the client's token, ends the session's
 * ticket. Offers end after 60 s.
 */
export async function answerAuthmon(
  tx: Tx,
  { site, row, secret, oldSecret }: GuestSite,
  call: AuthmonCall & Pick<RedirectRequest, 'mark'>,
  now: Date,
): Promise<string> {
  await noteSeen(tx, row, now);
  if (oldSecret !== null && call.mark === markOf(secret)) await endOldSecret(tx, row);
  switch (call.act) {
    case 'clear':
      return '';
    case 'custom':
      return 'ack';
    case 'deauthed': {
      const left = parseDeauthed(call.payload);
      const session = left && (await findTicket(tx, site, left.ticket));
      if (left && session) {
        const ended = { state: 'ended', ended_at: now, end_reason: 'gateway', credential: null } as const;
        const bytes = { up_bytes: left.upBytes, down_bytes: left.downBytes };
        await changeSession(tx, session, ['online'], { ...ended, ...bytes, last_seen: now });
      }
      return 'ack';
    }
    default: {
      const tokens = acknowledged(call.payload).slice(0, maxAcknowledged);
      if (tokens.length > 0) {
        const taken = await offersOf(tx, site, call.gatewayHash, tokens);
        for (const session of taken) await putOnline(tx, session, now);
        return 'ack';
      }
      if (call.payload !== '' && call.payload !== '*') return 'ack';
      const offers = await openOffers(tx, site, call.gatewayHash, now, maxEntries);
      return authmonList(
        offers.map((offer) => ({
          rhid: offer.rhid!,
          minutes: minutesAt(offer, now),
          ticket: offer.ticket,
          upKbps: offer.up_kbps,
          downKbps: offer.down_kbps,
        })),
      );
    }
  }
}
