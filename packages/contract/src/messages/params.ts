type Cut<S extends string> = S extends `${infer A}{${infer B}`
  ? A extends `${infer C}}${infer D}`
    ? [C, '}', `${D}{${B}`]
    : [A, '{', B]
  : S extends `${infer C}}${infer D}`
    ? [C, '}', D]
    : never;

type Trim<S extends string> = S extends ` ${infer T}` ? Trim<T> : S extends `${infer T} ` ? Trim<T> : S;
type NameOf<S extends string> = S extends `${infer N},${string}` ? Trim<N> : Trim<S>;

/** Walks a text by braces; the stack holds text (`t`), placeholder start (`p`) or branches (`b`). */
type Walk<S extends string, Stack extends string[], Names extends string> =
  Cut<S> extends [infer Before extends string, infer Brace, infer After extends string]
    ? Stack extends [infer Top, ...infer Under extends string[]]
      ? Top extends 't'
        ? Brace extends '{'
          ? Walk<After, ['p', ...Stack], Names>
          : Walk<After, Under, Names>
        : Brace extends '{'
          ? Walk<After, ['t', 'b', ...Under], Top extends 'p' ? Names | NameOf<Before> : Names>
          : Walk<After, Under, Top extends 'p' ? Names | NameOf<Before> : Names>
      : Names
    : Names;

export type ParamsOf<S extends string> = Walk<S, ['t'], never>;
