import { useId } from 'react';
import './choice.css';

export function Choice<V extends string | number>(props: {
  label: string;
  value: V;
  options: readonly { value: V; label: string }[];
  onChange: (value: V) => void;
  hideLabel?: boolean;
}) {
  const name = useId();
  return (
    <fieldset className="choice">
      <legend className={props.hideLabel ? 'sr' : 'field-label'}>{props.label}</legend>
      <div className="segments">
        {props.options.map((option) => (
          <label key={option.value}>
            <input
              type="radio"
              className="sr"
              name={name}
              checked={option.value === props.value}
              onChange={() => props.onChange(option.value)}
            />
            <span>{option.label}</span>
          </label>
        ))}
      </div>
    </fieldset>
  );
}
