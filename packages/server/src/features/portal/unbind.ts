import type { UnbindParticipant } from '../fleet/index.ts';
import { voidProofs } from './radius/proof-voids.ts';
import { portal } from './tables.ts';

/** Takes the template's assignment with the address of the sign-in page; guests and vouchers go with the network. */
export const portalOfUnbound: UnbindParticipant = {
  part: 'value_added',
  async remove(tx, { accountId, gwid }) {
    if (!gwid) return 0;
    const gone = await portal(tx)
      .deleteFrom('portal_site')
      .where('account_id', '=', accountId)
      .where('gwid', '=', gwid)
      .executeTakeFirst();
    await portal(tx)
      .deleteFrom('portal_directory')
      .where('account_id', '=', accountId)
      .where('gwid', '=', gwid)
      .execute();
    voidProofs(tx, accountId, [`site ${gwid}`]);
    return Number(gone.numDeletedRows);
  },
};
