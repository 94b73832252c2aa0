import { useState } from 'react';
import { t } from '../../app/i18n.ts';
import { Card } from '../../ui/page.tsx';
import type { Wrong } from '../../ui/use-form.ts';
import { type Block, BlockProperties, blocks } from './block-properties.tsx';
import { type MethodKind, type PageDraft, type Picture, pageOf } from './draft.ts';
import { openErrors } from './page-errors.ts';
import { Phone } from './phone.tsx';
import './page-editor.css';

/** Blocks, phone, properties. */
export function PageBlocks(props: {
  page: PageDraft;
  methods: readonly MethodKind[];
  /** Pictures that were there when the editor opened. */
  pictures: readonly Picture[];
  wrong: Wrong<string>;
  change: (part: Partial<PageDraft>, key: string) => void;
}) {
  const { page, methods, change } = props;
  const [found, setFound] = useState({ wrong: props.wrong, page });
  if (found.wrong !== props.wrong) setFound({ wrong: props.wrong, page });
  const wrong = openErrors(props.wrong, found.wrong === props.wrong ? found.page : page, page);
  const [block, setBlock] = useState<Block>('texts');
  const [uploaded, setUploaded] = useState<readonly Picture[]>([]);
  const pictures = [...props.pictures, ...uploaded];
  return (
    <div className="page-editor">
      <nav className="card portal-blocks" aria-label={t('portal.blocks')}>
        {blocks.map((one) => (
          <button
            key={one}
            type="button"
            aria-current={one === block ? 'true' : undefined}
            onClick={() => setBlock(one)}
          >
            <span>{t(`portal.block_${one}`)}</span>
            <State block={one} page={page} wrong={wrong} />
          </button>
        ))}
      </nav>
      <Phone
        page={pageOf(page)}
        methods={methods}
        pictures={pictures}
        show={block === 'countdown' || block === 'terms' ? block : undefined}
      />
      <Card title={t(`portal.block_${block}`)}>
        <BlockProperties
          key={block}
          block={block}
          page={page}
          pictures={pictures}
          wrong={wrong}
          change={change}
          onUploaded={(picture) => setUploaded((now) => [...now, picture])}
        />
      </Card>
    </div>
  );
}

const fieldOf: Readonly<Record<Block, string>> = {
  texts: 'page.t',
  logo: 'page.logo',
  background: 'page.background',
  carousel: 'page.carousel',
  countdown: 'page.countdown',
  terms: 'page.terms',
  colour: 'page.colour',
};

function State({ block, page, wrong }: { block: Block; page: PageDraft; wrong: Wrong<string> }) {
  const fields = Object.keys(wrong).filter((field) => wrong[field] && field.startsWith(fieldOf[block]));
  const incomplete = fields.some((field) => block !== 'texts' || !field.startsWith('page.terms'));
  if (incomplete) return <span className="small portal-wrong">{t('portal.block_wrong')}</span>;
  const off = block in page.on && !page.on[block as keyof PageDraft['on']];
  return off ? <span className="small dim">{t('portal.block_off')}</span> : null;
}
