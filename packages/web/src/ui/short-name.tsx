import { halvesOf } from './middle.ts';

/** Cuts a name in its middle where room is short. Its element has the whole name as `data-hint`, or as text. */
export function ShortName({ children }: { children: string }) {
  const [head, tail] = halvesOf(children);
  return (
    <span className="short-name">
      <span className="ellipsis">{head}</span>
      <span>{tail}</span>
    </span>
  );
}
