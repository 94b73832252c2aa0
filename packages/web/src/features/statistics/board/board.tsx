import { Fragment, type KeyboardEvent, type ReactNode, useLayoutEffect, useRef, useState } from 'react';
import { t } from '../../../app/i18n.ts';
import { Button, IconButton } from '../../../ui/button.tsx';
import { Icon } from '../../../ui/icon.tsx';
import { beginsRow, type CardId, moved, spans } from './layout.ts';
import type { Arrangement } from './use-arrangement.ts';
import './board.css';

interface Props {
  arrangement: Arrangement;
  cards: Partial<Record<CardId, ReactNode>>;
  arranging: boolean;
  done: () => void;
}

export function Board({ arrangement, cards, arranging, done }: Props) {
  const { order, hidden } = arrangement;
  const shown = order.filter((id) => cards[id] !== undefined && !hidden.includes(id));
  const [dragged, setDragged] = useState<CardId | null>(null);
  const [over, setOver] = useState<CardId | null>(null);
  const [message, setMessage] = useState('');
  // a moved card loses the focus: restore it
  const keep = useRef<CardId | null>(null);
  useLayoutEffect(() => {
    if (keep.current) document.getElementById(`grip-${keep.current}`)?.focus();
    keep.current = null;
  });
  const move = (id: CardId, to: CardId | undefined) => {
    if (!to || to === id) return;
    arrangement.reorder(moved(order, id, to));
    const n = shown.indexOf(to) + 1;
    setMessage(t('board.moved', { name: t(`card.${id}`), n, total: shown.length }));
  };
  const byKey = (id: CardId) => (event: KeyboardEvent) => {
    const at = shown.indexOf(id);
    const to = {
      ArrowLeft: at - 1,
      ArrowUp: at - 1,
      ArrowRight: at + 1,
      ArrowDown: at + 1,
      Home: 0,
      End: shown.length - 1,
    }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    keep.current = id;
    move(id, shown[to]);
  };
  const item = (id: CardId) => (
    // biome-ignore lint/a11y/noStaticElementInteractions: dragging is the pointer's way; the keyboard's is the grip
    <div
      className="board-item"
      data-card={id}
      style={{ '--span': spans[id] } as Record<string, number>}
      data-over={over === id && dragged !== id ? true : undefined}
      data-dragged={dragged === id || undefined}
      draggable={arranging}
      onDragStart={(event) => {
        event.dataTransfer.effectAllowed = 'move';
        event.dataTransfer.setData('text/plain', id);
        setDragged(id);
      }}
      onDragEnd={() => {
        setDragged(null);
        setOver(null);
      }}
      onDragOver={(event) => {
        if (!dragged) return;
        event.preventDefault();
        setOver(id);
      }}
      onDrop={(event) => {
        if (!dragged) return;
        event.preventDefault();
        move(dragged, id);
      }}
    >
      {arranging && (
        <div className="board-tools">
          <button
            type="button"
            id={`grip-${id}`}
            className="btn btn-quiet board-grip"
            aria-description={t('board.keys')}
            onKeyDown={byKey(id)}
          >
            <Icon name="grip" size={16} />
            {t(`card.${id}`)}
          </button>
          <IconButton
            icon="eye_off"
            label={t('board.hide', { name: t(`card.${id}`) })}
            onClick={() => arrangement.hide(id)}
          />
        </div>
      )}
      <div className="board-card" inert={arranging}>
        {cards[id]}
      </div>
    </div>
  );
  return (
    <>
      {arranging && <ArrangeBar arrangement={arrangement} cards={cards} done={done} />}
      <p className="sr" role="status">
        {message}
      </p>
      <div className="board" data-arranging={arranging || undefined}>
        {shown.map((id, place) => (
          <Fragment key={id}>
            {beginsRow(shown, place) && <div className="board-break" />}
            {item(id)}
          </Fragment>
        ))}
      </div>
    </>
  );
}

function ArrangeBar({ arrangement, cards, done }: Omit<Props, 'arranging'>) {
  const hidden = arrangement.hidden.filter((id) => cards[id] !== undefined);
  return (
    <section className="card card-pad board-bar" aria-label={t('board.arrange')}>
      <div className="board-bar-hidden">
        <p className="quiet">{t('board.how')}</p>
        {hidden.length > 0 && (
          <div className="row board-hidden">
            <span className="small dim">{t('board.hidden')}</span>
            {hidden.map((id) => (
              <Button key={id} icon="plus" onClick={() => arrangement.show(id)}>
                {t(`card.${id}`)}
              </Button>
            ))}
          </div>
        )}
      </div>
      <div className="row">
        <Button icon="undo" onClick={arrangement.reset}>
          {t('board.reset')}
        </Button>
        <Button kind="primary" onClick={done}>
          {t('board.done')}
        </Button>
      </div>
    </section>
  );
}
