import { Refused } from '../../refused.ts';
import type { Method } from '../method.ts';
import { lockIdentity, plain } from '../proof.ts';
import { createSponsorPages } from './pages.ts';
import { answerRequest, sponsorRequest } from './requests.ts';

export const sponsor: Method<'sponsor'> = {
  /** Reached by the sealed address of the waiting page only. */
  async prove({ secrets }, tx, { site, form, now }, method) {
    const found = await sponsorRequest(tx, site, form.request ?? '');
    if (found?.state !== 'approved' || found.expires_at <= now) throw new Refused('sponsor_expired');
    await answerRequest(tx, found, 'used');
    const { guest, sponsor: host } = found;
    const identityHash = secrets.hash(site.accountId, 'sponsor', `${guest.toLowerCase()} ${host}`);
    await lockIdentity(tx, identityHash);
    return { ...plain(method), identity: guest, identityHash, whole: `${guest} (${host})` };
  },
  act: () => 'requests',
  sends: 'email',
  pages: createSponsorPages,
};
