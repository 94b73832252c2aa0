import { t } from '../../app/i18n.ts';
import { IconButton } from '../../ui/button.tsx';
import { SelectField, TextField } from '../../ui/field.tsx';
import { Icon } from '../../ui/icon.tsx';
import { NumberField } from '../../ui/rule-fields.tsx';
import type { SdwanType } from './graph-layout.ts';
import { errorText } from './labels.tsx';
import { LanFields } from './lan-fields.tsx';
import { type PlanError, type PlanNode, parentsFor, patched, withoutNode, withRole } from './plan.ts';

export type NodePart = 'roles' | 'lans' | 'bands';

interface Props {
  type: SdwanType;
  nodes: readonly PlanNode[];
  errors: readonly PlanError[];
  nameOf: (key: string) => string;
  parts: readonly NodePart[];
  onChange: (nodes: PlanNode[]) => void;
  chosen?: string | null;
}

const maxBand = 10_000;

/** Errors are beside their nodes. */
export function NodeTable({ type, nodes, errors, nameOf, parts, onChange, chosen }: Props) {
  const has = (part: NodePart) => parts.includes(part);
  const patch = (key: string, change: Partial<PlanNode>) => onChange(patched(nodes, key, change));
  const band = (node: PlanNode, field: 'widthband' | 'foreign_widthband') => (
    <NumberField
      hideLabel
      label={t(`sdwan.${field}_of`, { name: nameOf(node.key) })}
      min={0}
      max={maxBand}
      value={String(node[field])}
      onChange={(value) => /^\d{1,5}$/.test(value) && patch(node.key, { [field]: Number(value) })}
    />
  );
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a wide table must scroll by keyboard too
    <section className="sdwan-wide" tabIndex={0} aria-label={t('sdwan.nodes')}>
      <table className="plain-table sdwan-nodes">
        <caption className="sr">{t('sdwan.nodes')}</caption>
        <thead>
          <tr>
            <th scope="col">{t('sdwan.col_name')}</th>
            {has('roles') && type === 2 && <th scope="col">{t('sdwan.role')}</th>}
            {has('roles') && type === 3 && <th scope="col">{t('sdwan.parent')}</th>}
            {has('roles') && <th scope="col">{t('sdwan.host')}</th>}
            {has('lans') && <th scope="col">{t('sdwan.col_lans')}</th>}
            {has('bands') && (
              <>
                <th scope="col">{t('sdwan.position')}</th>
                <th scope="col">{t('sdwan.widthband')}</th>
                <th scope="col">{t('sdwan.foreign_widthband')}</th>
              </>
            )}
            <th scope="col">
              <span className="sr">{t('sdwan.remove')}</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {nodes.map((node) => {
            const name = nameOf(node.key);
            return (
              <tr key={node.key} aria-current={chosen === node.key || undefined}>
                <th scope="row" className="wraps">
                  <strong>{name}</strong>
                  <NodeErrors errors={errors.filter(({ key }) => key === node.key)} nameOf={nameOf} />
                </th>
                {has('roles') && type === 2 && (
                  <td>
                    <SelectField
                      hideLabel
                      small
                      label={t('sdwan.role_of', { name })}
                      value={node.role}
                      options={(['main', 'bak', ''] as const).map((value) => ({
                        value,
                        label: t(`sdwan.role_${value || 'branch'}`),
                      }))}
                      onChange={(role) => onChange(withRole(nodes, node.key, role))}
                    />
                  </td>
                )}
                {has('roles') && type === 3 && (
                  <td>
                    {node.role === 'main' ? (
                      t('sdwan.role_main')
                    ) : (
                      <SelectField
                        hideLabel
                        small
                        label={t('sdwan.parent_of', { name })}
                        value={node.pid}
                        options={parentsFor(nodes, node.key).map((key) => ({ value: key, label: nameOf(key) }))}
                        onChange={(pid) => patch(node.key, { pid })}
                      />
                    )}
                  </td>
                )}
                {has('roles') && (
                  <td className="sdwan-host">
                    <TextField
                      hideLabel
                      label={t('sdwan.host_of', { name })}
                      placeholder={t('sdwan.host_measured')}
                      maxLength={253}
                      value={node.host ?? ''}
                      onChange={(host) => patch(node.key, { host: host.trim() || null })}
                    />
                  </td>
                )}
                {has('lans') && (
                  <td>
                    <LanFields name={name} lans={node.lans} onChange={(lans) => patch(node.key, { lans })} />
                  </td>
                )}
                {has('bands') && (
                  <>
                    <td>
                      <SelectField
                        hideLabel
                        small
                        label={t('sdwan.position_of', { name })}
                        value={node.position === 1 ? 'domestic' : 'foreign'}
                        options={(['domestic', 'foreign'] as const).map((value) => ({
                          value,
                          label: t(`sdwan.position_${value}`),
                        }))}
                        onChange={(value) => patch(node.key, { position: value === 'domestic' ? 1 : 2 })}
                      />
                    </td>
                    <td>{band(node, 'widthband')}</td>
                    <td>{band(node, 'foreign_widthband')}</td>
                  </>
                )}
                <td>
                  <IconButton
                    icon="trash"
                    label={t('sdwan.remove_node', { name })}
                    onClick={() => onChange(withoutNode(nodes, node.key))}
                  />
                </td>
              </tr>
            );
          })}
        </tbody>
      </table>
    </section>
  );
}

export function NodeErrors({ errors, nameOf }: { errors: readonly PlanError[]; nameOf: (key: string) => string }) {
  return errors.map((error) => (
    <div key={`${error.code} ${error.field} ${JSON.stringify(error.params)}`} className="field-error">
      <Icon name="alert" size={13} />
      <span>{errorText(error, nameOf)}</span>
    </div>
  ));
}

export function ErrorsByNode(props: Pick<Props, 'errors' | 'nameOf'> & { nodes: readonly { key: string }[] }) {
  const { nodes, errors, nameOf } = props;
  return nodes
    .filter(({ key }) => errors.some((one) => one.key === key))
    .map(({ key }) => (
      <div key={key}>
        <strong>{nameOf(key)}</strong>
        <NodeErrors errors={errors.filter((one) => one.key === key)} nameOf={nameOf} />
      </div>
    ));
}
