export const name = '0088-safety';

export const up = `
-- the two calls of the profile change the mobile of a session that was confirmed lately; nothing reads the step before
alter table user_session drop column mobile_checked_at;

-- the inbox of an invited person named the invitation by its token, in plain: by its id it opens for that person only
update message m set link = '/invitation/' || i.id
from invitation i
where m.link like '/invitation/%' and i.token_hash = sha256(convert_to(substr(m.link, length('/invitation/') + 1), 'UTF8'));
-- of those that are gone nothing is left to open
update message set link = null where link like '/invitation/%' and length(link) > length('/invitation/') + 36;
`;
