import { t } from '../../app/i18n.ts';
import type { Filter } from '../../ui/table/columns.ts';
import { classes } from './labels.ts';

export function assetFilters(tags: readonly string[], chosen: string | undefined): Filter[] {
  const offered = [...new Set([...tags, ...(chosen ? [chosen] : [])])];
  return [
    {
      name: 'class',
      label: t('assets.class'),
      strict: true,
      options: classes.map((value) => ({ value, label: t(`assets.class_${value}`) })),
    },
    { name: 'fresh', label: t('assets.news'), strict: true, options: [{ value: 'true', label: t('assets.new') }] },
    ...(offered.length > 0
      ? [{ name: 'tag', label: t('assets.tags'), options: offered.map((value) => ({ value, label: value })) }]
      : []),
    {
      name: 'days',
      label: t('assets.days'),
      strict: true,
      unset: t('assets.days_n', { n: 30 }),
      options: ['7', '90', '400'].map((value) => ({ value, label: t('assets.days_n', { n: Number(value) }) })),
    },
    {
      name: 'random',
      label: t('assets.random'),
      strict: true,
      unset: t('assets.random_none'),
      options: [
        { value: 'include', label: t('assets.random_include') },
        { value: 'only', label: t('assets.random_only') },
      ],
    },
  ];
}
