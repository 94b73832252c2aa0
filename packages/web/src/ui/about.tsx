import type { ReactNode } from 'react';
import { IconButton } from './button.tsx';
import { exactTime } from './format.ts';
import { Popup } from './popup.tsx';
import './about.css';

/** The button beside a number that opens what it means. */
export function About({ label, children }: { label: string; children: ReactNode }) {
  return (
    <Popup
      kind="dialog"
      label={label}
      width={340}
      trigger={(trigger) => <IconButton {...trigger} className="about-button" icon="info" label={label} />}
    >
      {() => children}
    </Popup>
  );
}

/** Until when a number counts: a line of its facts. */
export function Until({ label, at }: { label: string; at: string }) {
  return (
    <>
      <dt>{label}</dt>
      <dd>
        <time dateTime={at}>{exactTime(new Date(at))}</time>
      </dd>
    </>
  );
}
