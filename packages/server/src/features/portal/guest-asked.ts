import type { Tx } from '../../platform/database/index.ts';
import type { Arrival } from './adapters/adapter.ts';
import type { Asked } from './guest-limits.ts';
import { methodNamed } from './methods/index.ts';
import type { Form, GuestSite } from './page-frame.ts';
import type { PortalSecrets } from './secrets.ts';
import { deviceKeyOf, sourceOf } from './source.ts';

export async function askedOf(
  tx: Tx,
  secrets: PortalSecrets,
  { site }: Pick<GuestSite, 'site'>,
  { form, arrival, ip }: { form: Form; arrival: Arrival; ip: string },
): Promise<Asked> {
  const method = methodNamed(form.way ?? '');
  const device = arrival.verified ? deviceKeyOf(secrets, site, arrival) : null;
  const act = method?.act?.(form);
  return {
    site,
    source: sourceOf(secrets, site, arrival, ip),
    act: act === undefined ? (arrival.verified ? null : 'signIns') : act,
    guess: (await method?.guess?.({ tx, secrets, site, device }, form)) ?? null,
  };
}
