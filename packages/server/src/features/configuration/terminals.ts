import {
  type Association,
  asList,
  asRecord,
  asTexts,
  type State,
  type StateInterface,
  type StateSsid,
} from '@yunxun/contract/device';
import { canonical, type UcentralDocument } from './compile/index.ts';

/** What makes an SSID on a band: a change of any of it drops whoever is on it. */
function airOf(document: UcentralDocument | null): Map<string, string> {
  const radios = new Map((document?.radios ?? []).map((radio) => [radio.band, radio]));
  const air = new Map<string, string>();
  for (const { vlan, role, ssids } of document?.interfaces ?? []) {
    for (const ssid of ssids ?? []) {
      for (const band of ssid['wifi-bands']) {
        const own = [...radios].filter(([name]) => name.slice(0, 2) === band).map(([, radio]) => radio);
        air.set(`${band} ${ssid.name}`, canonical({ ssid: { ...ssid, 'wifi-bands': [] }, vlan, role, own }));
      }
    }
  }
  return air;
}

/** How a terminal gets into each SSID, whatever the band; who knows that gets in again. */
function doorsOf(document: UcentralDocument | null): Map<string, string> {
  const ssids = (document?.interfaces ?? []).flatMap((each) => each.ssids ?? []);
  return new Map(ssids.map(({ name, encryption: { proto, key } }) => [name, canonical({ proto, key })]));
}

export interface TerminalsHit {
  drop: number;
  /**
   * Of these, those that do not come back by themselves: their SSID goes, or gets another name, password or security.
   * What no document of ours made has a password that nobody knows here; only its name is compared.
   */
  lost: number;
}

/** How many of the terminals in a device's last report would drop when its document changes. */
export function terminalsToDrop(
  report: unknown,
  before: UcentralDocument | null,
  after: UcentralDocument,
): TerminalsHit {
  const [was, will] = [airOf(before), airOf(after)];
  const [wasDoor, door] = [doorsOf(before), doorsOf(after)];
  const hit = { drop: 0, lost: 0 };
  for (const entry of asList(asRecord<State>(report).interfaces)) {
    for (const member of asList(asRecord<StateInterface>(entry).ssids)) {
      const { ssid, band, associations } = asRecord<StateSsid>(member);
      const on = asList(associations).filter((station) => asRecord<Association>(station).station !== undefined).length;
      const places = asTexts(band).map((name) => `${name.slice(0, 2)} ${String(ssid)}`);
      // what the report shows and no document of ours made goes as well
      const stays = places.length > 0 && places.every((place) => will.has(place) && was.get(place) === will.get(place));
      if (stays) continue;
      hit.drop += on;
      const name = String(ssid);
      if (!door.has(name) || (wasDoor.has(name) && wasDoor.get(name) !== door.get(name))) hit.lost += on;
    }
  }
  return hit;
}
