export const name = '0298-remote-web';

export const up = `
alter table remote_session drop constraint remote_session_kind_check;
alter table remote_session add constraint remote_session_kind_check
  check (kind in ('shell', 'ssh', 'telnet', 'web', 'vnc'));
`;
