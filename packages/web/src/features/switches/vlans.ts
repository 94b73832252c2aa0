/** VLAN ids (contract: switchLimits.vlan). */
export const vlans = { min: 1, max: 4094 } as const;

export const listed = (text: string) => text.split(/[,\s，、]+/).filter(Boolean);

export const isVlan = (text: string) =>
  /^\d{1,4}$/.test(text) && Number(text) >= vlans.min && Number(text) <= vlans.max;
