export const name = '0231-names-ignore-case';

/** As templates and rules: "Lobby" and "lobby" are one name. Later ones get the end of their id. */
const distinct = (table: string, key: string) => `
update ${table} t set name = left(t.name, 57) || '-' || right(t.id::text, 6)
from (select account_id, id, row_number() over (partition by ${key}, lower(name) order by created_at, id) as place from ${table}) d
where d.account_id = t.account_id and d.id = t.id and d.place > 1;
drop index ${table}_name;
create unique index ${table}_name on ${table} (${key}, lower(name));
`;

export const up = distinct('ap_group', 'account_id') + distinct('saved_view', 'account_id, person_id, list');
