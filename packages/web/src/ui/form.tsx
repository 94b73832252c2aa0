import type { ReactNode, Ref } from 'react';

/** Shows errors in the fields instead of the browser's. */
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
