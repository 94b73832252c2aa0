import type { Data } from '../../../app/api.ts';
import { t } from '../../../app/i18n.ts';
import { count, percent } from '../../../ui/format.ts';
import { Link } from '../../../ui/link.tsx';
import { StatusSign } from '../../../ui/status.tsx';

/** Tiles that share one row. */
export const FEW = 4;

type Group = Data<'/api/v3/overview/tiles'>['groups'][number];

/** Networks by tag: a tile of each group, with the share that is online. */
export function TileGroups({ groups, total }: { groups: readonly Group[]; total: number }) {
  const untagged = groups.length === 1 && groups[0]?.tag === null;
  return (
    <section className="tile-groups" aria-labelledby="tile-groups">
      <h3 id="tile-groups" className="small dim">
        {t(untagged ? 'tiles.untagged_hint' : 'tiles.by_tag')}
      </h3>
      <ul className="tiles" data-few={groups.length <= FEW || undefined}>
        {groups.map((group) => (
          <li key={group.tag ?? ''} data-tone={group.troubled > 0 ? 'bad' : 'ok'}>
            <GroupTile group={group} />
          </li>
        ))}
      </ul>
      {total > groups.length && <p className="small dim">{t('tiles.more_tags', { n: total - groups.length })}</p>}
    </section>
  );
}

function GroupTile({ group: { tag, networks, online, troubled, clients } }: { group: Group }) {
  const name = tag ?? t('tiles.untagged');
  const share = online / networks;
  return (
    <Link to="/networks" search={tag === null ? {} : { tag }} className="tile">
      <h4 className="tile-name">
        <StatusSign status={troubled > 0 ? 'offline' : 'online'} />
        <span className="ellipsis" title={name}>
          {name}
        </span>
      </h4>
      <p className="tile-state small">{troubled > 0 ? t('tiles.troubled', { n: troubled }) : t('tiles.untroubled')}</p>
      <p className="tile-figures small">
        <span>{t('tiles.group_online', { online: count(online), total: count(networks) })}</span>
        <span>{t('tiles.clients', { n: clients })}</span>
      </p>
      <div className="tile-share" title={t('tiles.share', { share: percent(share * 100) })}>
        <div style={{ width: `${share * 100}%` }} />
      </div>
    </Link>
  );
}
