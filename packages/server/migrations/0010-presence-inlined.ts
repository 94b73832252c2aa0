export const name = '0010-presence-inlined';

export const up = `
-- time plus an interval is stable, not immutable: a function that claims more than its body is not inlined, and called
-- for each row it costs ten times as much
alter function platform.presence(boolean, timestamptz, timestamptz, timestamptz, timestamptz) stable;
`;
