/** Finds subscriptions without scanning 10,000 device subjects. */
export class SubjectTree<T> {
  readonly #root: Node<T> = newNode();

  add(subject: string, entry: T): () => void {
    const path = [this.#root];
    for (const token of subject.split('.')) {
      const here = path[path.length - 1]!;
      let next = here.children.get(token);
      if (!next) {
        next = newNode();
        here.children.set(token, next);
      }
      path.push(next);
    }
    path[path.length - 1]!.entries.add(entry);
    return () => {
      path[path.length - 1]!.entries.delete(entry);
      const tokens = subject.split('.');
      for (let depth = path.length - 1; depth > 0; depth -= 1) {
        const node = path[depth]!;
        if (node.entries.size > 0 || node.children.size > 0) break;
        // another entry may have replaced the emptied node
        const parent = path[depth - 1]!;
        if (parent.children.get(tokens[depth - 1]!) === node) parent.children.delete(tokens[depth - 1]!);
      }
    };
  }

  match(subject: string): T[] {
    const found: T[] = [];
    collect(this.#root, subject.split('.'), 0, found);
    return found;
  }
}

interface Node<T> {
  entries: Set<T>;
  children: Map<string, Node<T>>;
}

function newNode<T>(): Node<T> {
  return { entries: new Set(), children: new Map() };
}

function collect<T>(node: Node<T>, tokens: readonly string[], at: number, found: T[]): void {
  if (at === tokens.length) {
    found.push(...node.entries);
    return;
  }
  const literal = node.children.get(tokens[at]!);
  if (literal) collect(literal, tokens, at + 1, found);
  const any = node.children.get('*');
  if (any) collect(any, tokens, at + 1, found);
  const tail = node.children.get('>');
  if (tail) found.push(...tail.entries);
}

const token = /^[^\s.*>]+$/;

/** @throws TypeError for a subject that NATS rejects or reads as a pattern */
export function checkSubject(subject: string, patterns: boolean): void {
  const tokens = subject.split('.');
  const fine = tokens.every(
    (part, at) => token.test(part) || (patterns && (part === '*' || (part === '>' && at === tokens.length - 1))),
  );
  if (!fine) throw new TypeError(`"${subject}" is not a subject`);
}
