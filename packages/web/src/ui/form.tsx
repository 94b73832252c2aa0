import type { ReactNode, Ref } from 'react';

/** Form submitted by script; its fields show their errors instead of the browser. */
export function Form(props: {
  send: () => unknown;
  fields?: Ref<HTMLFormElement>;
  className?: string;
  children: ReactNode;
}) {
  return (
    <form
      ref={props.fields}
      className={props.className}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        void props.send();
      }}
    >
      {props.children}
    </form>
  );
}
