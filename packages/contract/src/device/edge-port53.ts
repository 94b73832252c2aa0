/**
 * Another program on the gateway host that answers DNS on every address: the gateway's own DNS and DHCP cannot start
 * beside it.
 */
export interface EdgePort53Listener {
  protocol: 'udp' | 'tcp';
  /** `0.0.0.0` or `::`. */
  address: string;
  /** Null while unknown. */
  process: string | null;
  /** Service that `take_port53` stops; null if no service manager knows the process. */
  service: string | null;
}

/** Why a document was refused before any change. */
export const edgePort53Refusals = ['in_use', 'no_service'] as const;
export type EdgePort53Refusal = (typeof edgePort53Refusals)[number];
