/** Condition on `station_open`: on the air, or on a port that is known. False: somewhere behind another device. */
export const isPlaced = '(band <> 0 or behind is null or behind_port is not null)';

/** Serial of the device that is nearest to client session `o`, as far as it is known. */
export const nearestTo = (o: string): string => `coalesce(nullif(${o}.behind, ''), ${o}.serial)`;

/** Port of client session `o` at that device. */
export const portAt = (o: string): string =>
  `(case when coalesce(${o}.behind, '') = '' then ${o}.port else ${o}.behind_port end)`;

/** Band of client session `o`: 0 if wired; null while the client is only known to be somewhere behind a device. */
export const bandAt = (o: string): string =>
  `(case when ${o}.band = 0 and ${o}.behind is not null and ${o}.behind_port is null then null else ${o}.band end)`;
