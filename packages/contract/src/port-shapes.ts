import { type Static, Type } from 'typebox';

export const switchLimits = {
  ports: 128,
  labelLength: 32,
  vlan: { min: 1, max: 4094 },
  taggedVlans: 64,
  /** Rules per template; characters of a port list. */
  portRules: 32,
  ruleLength: 200,
  /** Maximum per port. */
  listedClients: 64,
} as const;

/** `Ethernet0`, `Ethernet1`, … */
export const PortName = Type.String({ pattern: '^Ethernet[0-9]{1,3}$', hint: 'noPort' });
const { min, max } = switchLimits.vlan;

export const ruledPortFields = {
  enabled: Type.Boolean(),
  poe: Type.Boolean(),
  /** VLAN of untagged frames. */
  vlan: Type.Integer({ minimum: min, maximum: max }),
  /** Null: all VLANs of the SSIDs, as access points need. */
  tagged: Type.Unsafe<number[] | null>({
    type: ['array', 'null'],
    items: { type: 'integer', minimum: min, maximum: max },
    maxItems: switchLimits.taggedVlans,
    uniqueItems: true,
  }),
};

/** `ports`: front-panel numbers, `1-8,10`; Ethernet0 is 0. */
export const PortRule = Type.Object({
  ports: Type.String({ rule: 'portRange', maxLength: switchLimits.ruleLength }),
  ...ruledPortFields,
});
export type PortRule = Static<typeof PortRule>;
