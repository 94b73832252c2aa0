import { type RawBuilder, sql } from 'kysely';

/** Represents the whole account in `gwid`. */
export const wholeAccount = '00000000-0000-0000-0000-000000000000';

/** Hour bits of 0–6, 6–11, 11–14, 14–19, 19–24 h. */
const parts = { '0to6': 0x3f, '6to11': 0x7c0, '11to14': 0x3800, '14to19': 0x7c000, '19to24': 0xf80000 } as const;

/** Seconds: from, below. */
const lengths = {
  lt30: [0, 1800],
  gt30: [1800, 3600],
  '1to2': [3600, 7200],
  '2to4': [7200, 14_400],
  gt4: [14_400, 2_147_483_647],
} as const;

/** Users that may be in several networks. */
export const userColumns = ['online', 'new_users', 'old_users', 'authenticated'] as const;
export const visitColumns = [
  'visits',
  'visits_lt30',
  'visits_gt30',
  'visits_1to2',
  'visits_2to4',
  'visits_gt4',
  'visits_0to6',
  'visits_6to11',
  'visits_11to14',
  'visits_14to19',
  'visits_19to24',
] as const;

export const userCounts: RawBuilder<unknown> = sql`
  count(*)::integer as online, (count(*) filter (where is_new))::integer as new_users,
  (count(*) filter (where not is_new))::integer as old_users, (count(*) filter (where authenticated))::integer as authenticated`;

export const visitCounts: RawBuilder<unknown> = sql.raw(
  [
    'count(*)::integer as visits',
    ...Object.entries(lengths).map(
      ([name, [from, below]]) =>
        `(count(*) filter (where seconds >= ${from} and seconds < ${below}))::integer as visits_${name}`,
    ),
    ...Object.entries(parts).map(
      ([name, bits]) => `(count(*) filter (where hours & ${bits} <> 0))::integer as visits_${name}`,
    ),
  ].join(', '),
);
