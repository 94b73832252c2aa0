import { t } from '../../app/i18n.ts';

export function SearchField(props: {
  value: string;
  found: string;
  onChange: (value: string) => void;
  onNext: () => void;
}) {
  return (
    <span className="topo-search">
      <input
        type="search"
        className="input"
        aria-label={t('topology.search')}
        placeholder={t('topology.search')}
        value={props.value}
        onChange={(event) => props.onChange(event.target.value)}
        onKeyDown={(event) => {
          if (event.key === 'Enter') props.onNext();
        }}
      />
      <output className="small dim">{props.found}</output>
    </span>
  );
}
