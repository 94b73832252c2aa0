import { t } from '../../app/i18n.ts';
import type { AxisKind } from '../../ui/chart/axis.ts';
import { bitRate } from '../../ui/format.ts';
import type { Timeline } from './mark.ts';

type Line = Timeline['down'];

export interface PanelLine {
  key: string;
  name: string;
  values: Line;
  /** Place in the palette, from 0. */
  color: number;
}

export interface PanelOf {
  key: string;
  title: string;
  lines: PanelLine[];
  format: (value: number) => string;
  axis: AxisKind;
  /** If the data does not decide it. */
  max?: number;
}

const bands = ['2.4G', '5G', '6G'] as const;
const reported = (line: Line): boolean => line.some((value) => value !== null);
const oneDecimal = (value: number): string => String(Math.round(value * 10) / 10);

/** Returns lines that the panel's title does not name: the palette has fewer colours than lines. */
export const legendOf = (panels: readonly PanelOf[]): PanelLine[] =>
  panels.flatMap(({ title, lines }) => lines.filter(({ name }) => name !== title));

/** Returns sentences about missing sources too. */
export function panelsOf(data: Timeline): { panels: PanelOf[]; notes: string[] } {
  const utilization = bands.flatMap((band, index) => {
    const values = data.utilization[band];
    const name = t('timeline.utilization_of', { band });
    return reported(values) ? [{ key: band, name, values, color: 3 + index }] : [];
  });
  const panels: PanelOf[] = [
    {
      key: 'traffic',
      title: t('timeline.traffic'),
      format: bitRate,
      axis: 'number',
      lines: [
        { key: 'down', name: t('timeline.down'), values: data.down, color: 0 },
        { key: 'up', name: t('timeline.up'), values: data.up, color: 1 },
      ],
    },
    {
      key: 'clients',
      title: t('timeline.clients'),
      format: oneDecimal,
      axis: 'number',
      lines: [{ key: 'clients', name: t('timeline.clients'), values: data.clients, color: 2 }],
    },
    {
      key: 'utilization',
      title: t('timeline.utilization'),
      axis: 'number',
      max: 100,
      format: (value) => `${oneDecimal(value)}%`,
      lines: utilization,
    },
    {
      key: 'score',
      title: t('timeline.score'),
      axis: 'number',
      max: 100,
      format: (value) => String(Math.round(value)),
      lines: [{ key: 'score', name: t('timeline.score'), values: data.score, color: 8 }],
    },
    {
      key: 'latency',
      title: t('timeline.latency'),
      axis: 'number',
      format: (value) => `${oneDecimal(value)} ms`,
      lines: [{ key: 'latency', name: t('timeline.latency'), values: data.latency, color: 6 }],
    },
    {
      key: 'loss',
      title: t('timeline.loss'),
      axis: 'number',
      max: 100,
      format: (value) => `${oneDecimal(value)}%`,
      lines: [{ key: 'loss', name: t('timeline.loss'), values: data.loss, color: 7 }],
    },
  ];
  return {
    panels: panels.filter(({ lines }) => lines.some(({ values }) => reported(values))),
    notes: [
      t(`timeline.source_${data.traffic_source}`),
      ...(reported(data.clients) ? [] : [t('timeline.no_clients')]),
      ...(utilization.length > 0 ? [] : [t('timeline.no_utilization')]),
      ...(reported(data.latency) || reported(data.loss) ? [] : [t('timeline.no_wan_quality')]),
    ],
  };
}
