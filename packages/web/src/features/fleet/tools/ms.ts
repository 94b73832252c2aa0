import { t } from '../../../app/i18n.ts';

export const ms = (value: number | null) => (value === null ? '—' : t('wan.ms', { n: Math.round(value * 10) / 10 }));
