import type { ReactNode } from 'react';
import './setting.css';

export function Settings({ children }: { children: ReactNode }) {
  return <ul className="settings">{children}</ul>;
}

export function Setting(props: { title: string; hint?: ReactNode; state?: ReactNode; children?: ReactNode }) {
  return (
    <li className="setting">
      <div>
        <h3>{props.title}</h3>
        {props.hint && <div className="small dim">{props.hint}</div>}
      </div>
      <div className="setting-state">{props.state}</div>
      <div className="row setting-acts">{props.children}</div>
    </li>
  );
}
