/** Condition on `station_open`: on the air or a known port, not somewhere behind a device. */
export const isPlaced = '(band <> 0 or behind is null or behind_port is not null)';

/** Nearest known device of client session `o`. */
export const nearestTo = (o: string): string => `coalesce(nullif(${o}.behind, ''), ${o}.serial)`;

/** Port at that device. */
export const portAt = (o: string): string =>
  `(case when coalesce(${o}.behind, '') = '' then ${o}.port else ${o}.behind_port end)`;

/** 0 if wired; null while only known to be behind a device. */
export const bandAt = (o: string): string =>
  `(case when ${o}.band = 0 and ${o}.behind is not null and ${o}.behind_port is null then null else ${o}.band end)`;
