/** Rejects with the name after the timeout. */
export async function until(what: string, condition: () => Promise<boolean>, seconds = 200): Promise<void> {
  const deadline = Date.now() + seconds * 1000;
  while (!(await condition())) {
    if (Date.now() > deadline) throw new Error(`in ${seconds} s it never happened that ${what}`);
    await new Promise((later) => setTimeout(later, 250));
  }
}
