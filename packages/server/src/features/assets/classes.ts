import { type RawBuilder, sql } from 'kysely';
import { makers } from '../../platform/mac-makers.ts';

type Guessed = 'camera' | 'printer' | 'server' | 'smart_device' | 'switch';

/** Makers of one product and whole words only; the rest stays unknown until classified. */
const clues: readonly { class: Guessed; makers: RegExp | null; words: string }[] = [
  {
    class: 'camera',
    makers: /hikvision|dahua|uniview|axis communications|ezviz|reolink|hanwha (techwin|vision)|vivotek|mobotix|tiandy/i,
    words: '(^|[^a-z])(cam|camera|ipc|ipcam|nvr|dvr)([^a-z]|$)',
  },
  {
    class: 'printer',
    makers:
      /brother industries|seiko epson|^canon inc|^ricoh company|kyocera document|lexmark|zebra tech|konica minolta|pantum/i,
    words: '(^|[^a-z])(printer|epson|ricoh|laserjet|officejet)([^a-z]|$)|^(npi|brn|brw)[0-9a-f]{6,12}$',
  },
  {
    class: 'server',
    makers: /super ?micro computer|vmware|synology|qnap/i,
    words: '(^|[^a-z])(server|srv|nas|esxi|synology|qnap|diskstation)([^a-z]|$)',
  },
  {
    class: 'smart_device',
    makers: /espressif|tuya smart|sonos|nest labs|lumi united|yeelight|roborock|signify|allterco/i,
    words: '(^|[^a-z])(esp|tasmota|shelly|yeelink|sonoff|chromecast|tv|thermostat)([^a-z]|$)',
  },
  { class: 'switch', makers: null, words: '(^|[^a-z])switch([^a-z]|$)' },
];

const maxPrefixes = 5000;
let prefixes: Promise<Map<Guessed, string[]>> | null = null;

function prefixesByClass(): Promise<Map<Guessed, string[]>> {
  prefixes ??= makers().then(
    (register) =>
      new Map(
        clues.map(({ class: name, makers: fits }) => [
          name,
          fits ? register.saying((maker) => fits.test(maker), maxPrefixes) : [],
        ]),
      ),
  );
  return prefixes;
}

/** Returns SQL for a prefix of `mac`. */
export function beginsWith(alias: string, beginnings: readonly string[]): RawBuilder<unknown> {
  const mac = sql.ref(`${alias}.mac`);
  const list = sql`${[...beginnings]}::text[]`;
  return sql`(left(${mac}, 6) = any(${list}) or left(${mac}, 7) = any(${list}) or left(${mac}, 9) = any(${list}))`;
}

/** Returns SQL: class from fingerprint, host name or maker, or null. */
export async function guessedClass(alias: string): Promise<RawBuilder<unknown>> {
  const byClass = await prefixesByClass();
  const column = (name: string) => sql.ref(`${alias}.${name}`);
  const cases = clues.flatMap(({ class: name, words }) => {
    const beginnings = byClass.get(name) ?? [];
    const byMaker =
      beginnings.length > 0
        ? [sql`when not ${column('random_mac')} and ${beginsWith(alias, beginnings)} then ${name}`]
        : [];
    return [sql`when ${column('hostname')} ~* ${words} then ${name}`, ...byMaker];
  });
  return sql`case
    when ${column('terminal_type')} in ('android', 'ios') then 'phone'
    when ${column('terminal_type')} in ('mac', 'windows') then 'computer'
    ${sql.join(cases, sql` `)} end`;
}
