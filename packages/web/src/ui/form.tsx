import type { ReactNode, Ref } from 'react';

/** A form that our own code sends; its fields say themselves what is wrong with them, not the browser. */
export function Form(props: {
  send: () => unknown;
  /** The focus goes to the first wrong field in here (`useForm`). */
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
