import { alarms as contract, type Locale } from '@yunxun/contract';
import { messageByKey } from '@yunxun/contract/messages';
import { sql } from 'kysely';
import { better, matchOf, matchOfName, mayBeReading } from '../../platform/search/index.ts';
import { fleetDevices, fleetNetworks } from '../fleet/index.ts';
import type { Hit, SearchRequest, SearchSource } from '../search/index.ts';
import type { AlarmTable } from './tables.ts';

export const alarmSearch: SearchSource = { permission: 'message.read', find: searchAlarms };

/** Open and newest first. */
const maxRead = 500;
/** Days in which recovered alarms are found. */
const days = 7;

const titlesOf = (locale: Locale): string[] => contract.alarmKinds.map((kind) => messageByKey(locale, `alarm.${kind}`));

type Row = Pick<AlarmTable, 'id' | 'kind' | 'level' | 'gwid' | 'serial' | 'part' | 'name' | 'network' | 'note'>;

/** Finds uncaused alarms, open or of seven days, by text in the caller's language, names or initials, MAC or note. */
async function searchAlarms({ tx, accountId, word, now, locale }: SearchRequest): Promise<Hit[]> {
  const text = word.text.toLowerCase();
  const { rows } = await sql<Row>`
    select id, kind, level, gwid, serial, part, name, network, note
    from (
      select a.*, case when a.serial is null then a.network
        else coalesce(${fleetDevices.nameColumn(accountId, 'a.serial')}, nullif(a.opened_as, ''), a.serial) end as name
      from (
        select id, kind, level, gwid, serial, part, note, state, began_at, name as opened_as,
          coalesce(${fleetNetworks.nameColumn(accountId, 'alarm.gwid')}, network) as network
        from alarm
        where account_id = ${accountId} and cause_id is null
          and (state <> 'recovered' or recovered_at > ${new Date(now.getTime() - days * 86_400_000)})
        order by state = 'recovered', began_at desc, id limit ${maxRead}) a
      offset 0
    ) named
    left join unnest(${[...contract.alarmKinds]}::text[], ${titlesOf(locale)}::text[]) as t (kind, title) using (kind)
    where strpos(lower(concat_ws(E'\n', name, network, note,
        replace(replace(replace(title, '{name}', name), '{network}', network), '{part}', part))), ${text}) > 0
      or strpos(serial, ${word.digits}) > 0
      or (${mayBeReading(word)} and name || network ~ '[\u3400-\u9fff]')
    order by state = 'recovered', began_at desc, id
  `.execute(tx);
  const hits = rows.map(async ({ id, kind, level, gwid, serial, part, name, network, note }): Promise<Hit[]> => {
    const title = messageByKey(locale, `alarm.${kind}`, { name, network, part });
    const byMac = serial !== null && word.digits ? matchOf(serial, { ...word, text: word.digits }) : null;
    const byName = better(await matchOfName(name, word), await matchOfName(network, word));
    const match = better(better(byName, byMac), better(matchOf(title, word), matchOf(note, word)));
    return match
      ? [{ kind: 'alarm', id, title, detail: note || null, type: level, gwid, network, status: null, match }]
      : [];
  });
  return (await Promise.all(hits)).flat();
}
