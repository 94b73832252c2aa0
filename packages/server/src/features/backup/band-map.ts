import { type backup, configuration } from '@yunxun/contract';

type Content = backup.BackupContent;
type Band = configuration.Band;
type Radio = configuration.RadioSettings;

type Dropped = backup.NotRestored & { section: 'wireless' | 'devices' };

/** By range and throughput. */
const nextTo: Record<Band, readonly Band[]> = { '6G': ['5G', '2G'], '5G': ['2G', '6G'], '2G': ['5G', '6G'] };

export function bandsNamed({ wireless, devices }: Content): Band[] {
  const named = new Set<Band>([
    ...(wireless?.ssids ?? []).flatMap(({ bands }) => bands),
    ...[...(wireless?.radios ?? []), ...devices.flatMap(({ radios }) => radios)]
      .filter(saysSomething)
      .map(({ band }) => band),
  ]);
  return configuration.bands.filter((band) => named.has(band));
}

/** Keeps present bands, else the next best; unknown ones count as present. */
export function usualBands(named: readonly Band[], there: readonly Band[]): backup.BandMap {
  return named.map((from) => {
    if (there.length === 0 || there.includes(from)) return { from, to: from };
    return { from, to: nextTo[from].find((band) => there.includes(band)) ?? null };
  });
}

/** Moves SSIDs; radio settings fit one band and are dropped. */
export function onBands(
  content: Content,
  map: backup.BandMap,
): { wireless: Content['wireless']; devices: Content['devices']; dropped: Dropped[] } {
  const places = new Map(map.map(({ from, to }) => [from, to]));
  const moved = (band: Band) => (places.has(band) ? (places.get(band) ?? null) : band);
  const dropped: Dropped[] = [];
  const ssids = (content.wireless?.ssids ?? []).flatMap((ssid) => {
    const bands = [...new Set(ssid.bands.flatMap((band) => moved(band) ?? []))];
    if (bands.length > 0) return [{ ...ssid, bands }];
    dropped.push({ section: 'wireless', what: 'ssid_dropped', params: { name: ssid.name } });
    return [];
  });
  const radiosOf = (radios: readonly Radio[], section: Dropped['section'], name: string) =>
    radios.filter((radio) => {
      const stays = moved(radio.band) === radio.band;
      if (!stays && saysSomething(radio))
        dropped.push({ section, what: 'radio_dropped', params: { name, band: radio.band } });
      return stays;
    });
  return {
    wireless: content.wireless && {
      ...content.wireless,
      ssids,
      radios: radiosOf(content.wireless.radios, 'wireless', ''),
    },
    devices: content.devices.map((device) => ({
      ...device,
      radios: radiosOf(device.radios, 'devices', device.name),
    })),
    dropped,
  };
}

function saysSomething({ band: _band, ...fields }: Radio): boolean {
  return Object.values(fields).some((value) => value !== null);
}
