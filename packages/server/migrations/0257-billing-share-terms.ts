export const name = '0257-billing-share-terms';

/** Terms of a share, each with its time: a change or an end keeps what held before. */
export const up = `
create table billing_share_term (
  account_id uuid not null references account on delete cascade,
  id uuid not null,
  gwid uuid not null,
  hosting_id uuid not null,
  percent smallint not null check (percent between 1 and 100),
  from_at timestamptz not null,
  until_at timestamptz check (until_at >= from_at),
  -- nothing is left to settle
  settled boolean not null default false check (not settled or until_at is not null),
  primary key (account_id, id)
);
create unique index billing_share_term_open on billing_share_term (account_id, gwid) where until_at is null;
create index billing_share_term_unsettled on billing_share_term (account_id) where not settled;
select platform.tenant_table('billing_share_term', 'gwid');

-- the month in which a share was set counted in full
insert into billing_share_term (account_id, id, gwid, hosting_id, percent, from_at)
select s.account_id, gen_random_uuid(), s.gwid, s.hosting_id, s.percent,
  date_trunc('month', s.set_at at time zone a.time_zone) at time zone a.time_zone
from billing_share s join account a on a.account_id = s.account_id;

alter table billing_share_settlement
  add column term_id uuid,
  drop constraint billing_share_settlement_income_fen_check,
  drop constraint billing_share_settlement_fen_check,
  drop constraint billing_share_settlement_account_id_side_network_id_month_key;
update billing_share_settlement n set term_id = t.id from billing_share_term t
where t.account_id = case n.side when 'paid' then n.account_id else n.other_id end and t.gwid = n.network_id;
update billing_share_settlement set term_id = network_id where term_id is null;
alter table billing_share_settlement
  alter column term_id set not null,
  add unique (account_id, side, term_id, month);

drop table billing_share;
`;
