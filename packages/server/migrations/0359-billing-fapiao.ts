export const name = '0359-billing-fapiao';

export const up = `
create table fapiao_settings (
  account_id uuid primary key references account on delete cascade,
  version int not null,
  enabled boolean not null,
  -- name, tax_no, rate, goods_name, goods_code
  seller jsonb not null,
  issuer text not null
);
select platform.tenant_table('fapiao_settings');

create table fapiao (
  account_id uuid not null references account on delete cascade,
  id uuid not null,
  gwid uuid,
  order_no text not null,
  state text not null check (state in ('asked', 'issued', 'failed', 'cancelled', 'red_asked', 'red')),
  -- false: cancelled, red, or reversed whole
  live boolean not null,
  -- negative: a red one
  fen bigint not null,
  tax_fen bigint not null,
  original uuid,
  buyer jsonb not null,
  seller jsonb not null,
  issuer text not null,
  locale text not null,
  asked_at timestamptz not null,
  -- what the issuer was asked for and has not answered
  sent_fen bigint,
  failures int not null default 0,
  settled_at timestamptz,
  settler text,
  number text,
  issued_on date,
  url text,
  reason text,
  primary key (account_id, id),
  foreign key (account_id, original) references fapiao (account_id, id) on delete cascade,
  foreign key (account_id, order_no) references billing_order (account_id, order_no) on delete cascade,
  check (original is null or (fen < 0 and not live)),
  check ((state in ('issued', 'red')) = (number is not null and issued_on is not null))
);
create unique index fapiao_live on fapiao (account_id, order_no) where live;
create index fapiao_order on fapiao (account_id, order_no);
create index fapiao_listed on fapiao (account_id, asked_at desc);
select platform.tenant_table('fapiao', 'gwid');
revoke delete, truncate on fapiao from yunxun_app, yunxun_system;
`;
