export const name = '0296-screen-port';

export const up = `
alter table peripheral add column screen_port integer
  check (screen_port between 1 and 65535 and screen_port <> 3389);
alter table remote_session drop constraint remote_session_kind_check;
alter table remote_session add constraint remote_session_kind_check
  check (kind in ('shell', 'ssh', 'telnet', 'web', 'vnc'));
`;
