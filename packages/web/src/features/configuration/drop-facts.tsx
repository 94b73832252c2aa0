import type { Data } from '../../app/api.ts';
import { t } from '../../app/i18n.ts';
import './drop-facts.css';

type Drops = Data<'/api/v3/network/wireless/preview'>['drops'];

export function dropLines(drops: Drops): string[] {
  return drops.map(({ cause, devices, radios, terminals }) => t(`drops.${cause}`, { devices, radios, n: terminals }));
}

export function DropFacts({ drops }: { drops: Drops }) {
  if (drops.length === 0) return null;
  return (
    <ul className="small quiet drop-facts">
      {dropLines(drops).map((line) => (
        <li key={line}>{line}</li>
      ))}
    </ul>
  );
}
