import type { gateway } from '@yunxun/contract';
import type { Acting } from '../../platform/acting.ts';
import type { Tx } from '../../platform/database/index.ts';

export interface GatewayChange {
  gwid: string;
  before: gateway.GatewaySettings;
  after: gateway.GatewaySettings;
}

/** A feature that depends on gateways' LANs and WANs. */
export interface GatewayParticipant {
  /** For the preview; changes nothing. Shows a person of some networks no names of others. */
  effects(acting: Acting, change: GatewayChange): Promise<gateway.GatewayEffect[]>;
  /** Runs in the save's transaction, which may see the person's networks only. */
  follow(tx: Tx, accountId: string, change: GatewayChange): Promise<void>;
}

export class GatewayParticipants {
  readonly #participants: GatewayParticipant[] = [];

  join(participant: GatewayParticipant): void {
    this.#participants.push(participant);
  }

  async effects(acting: Acting, change: GatewayChange): Promise<gateway.GatewayEffect[]> {
    const found: gateway.GatewayEffect[] = [];
    for (const participant of this.#participants) found.push(...(await participant.effects(acting, change)));
    return found;
  }

  async follow(tx: Tx, accountId: string, change: GatewayChange): Promise<void> {
    for (const participant of this.#participants) await participant.follow(tx, accountId, change);
  }
}
