import { halvesOf } from './middle.ts';

/** Cut in its middle. */
export function ShortName({ children }: { children: string }) {
  const [head, tail] = halvesOf(children);
  return (
    <span className="short-name">
      <span className="ellipsis">{head}</span>
      <span>{tail}</span>
    </span>
  );
}
