import { messageByKey } from '@yunxun/contract/messages';
import { sql } from 'kysely';
import { better, matchOf, matchOfName } from '../../platform/search/index.ts';
import { deviceNames, networkNames } from '../fleet/names.ts';
import type { Hit, SearchRequest } from '../search/hit.ts';
import type { AlarmTable } from './tables.ts';

/** Open and newest first. */
const maxRead = 500;
/** Days in which recovered alarms are found. */
const days = 7;

type Row = Pick<AlarmTable, 'id' | 'kind' | 'level' | 'gwid' | 'serial' | 'part' | 'name' | 'network' | 'note'>;

/** Finds uncaused alarms, open or of seven days, by text in the caller's language, names or initials, MAC or note. */
export async function searchAlarms({ tx, accountId, word, now, locale }: SearchRequest): Promise<Hit[]> {
  const { rows } = await sql<Row>`
    select id, kind, level, gwid, serial, part, name, network, note from alarm
    where account_id = ${accountId} and cause_id is null
      and (state <> 'recovered' or recovered_at > ${new Date(now.getTime() - days * 86_400_000)})
    order by state = 'recovered', began_at desc, id limit ${maxRead}
  `.execute(tx);
  const networks = await networkNames(
    tx,
    accountId,
    rows.map(({ gwid }) => gwid),
  );
  const devices = await deviceNames(
    tx,
    accountId,
    rows.flatMap(({ serial }) => serial ?? []),
  );
  const hits = rows.map(async (row): Promise<Hit[]> => {
    const { id, kind, level, gwid, serial, part, note } = row;
    const network = networks.get(gwid) ?? row.network;
    const name = serial === null ? network : devices.get(serial)?.name || row.name || serial;
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
