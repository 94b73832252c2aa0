import { type Bus, BusClosed, BusTimeout, NoResponder } from './bus.ts';
import { checkSubject, SubjectTree } from './subjects.ts';
import { decodeAnswer, encode, encodeAnswer } from './wire.ts';

type Heard = (text: string, subject: string) => void;
type Responder = (message: unknown) => Promise<unknown>;

/** Serialises like NATS. `failed` gets subscribers' errors. */
export function createLocalBus(failed: (error: unknown, subject: string) => void): Bus {
  const subscribers = new SubjectTree<Heard>();
  const responders = new SubjectTree<Responder>();
  const waiting = new Set<(error: Error) => void>();
  let closed = false;

  const open = () => {
    if (closed) throw new BusClosed();
  };

  return {
    publish(subject, message) {
      open();
      checkSubject(subject, false);
      const reached = subscribers.match(subject);
      if (reached.length === 0) return;
      const text = encode(message);
      queueMicrotask(() => {
        for (const hear of reached) hear(text, subject);
      });
    },

    subscribe(subject, handler) {
      open();
      checkSubject(subject, true);
      let active = true;
      const remove = subscribers.add(subject, (text, from) => {
        if (!active || closed) return;
        try {
          handler(JSON.parse(text), from);
        } catch (error) {
          failed(error, from);
        }
      });
      return () => {
        active = false;
        remove();
      };
    },

    async request(subject, message, timeoutMs) {
      open();
      checkSubject(subject, false);
      const text = encode(message);
      const reached = responders.match(subject);
      if (reached.length === 0) throw new NoResponder(subject);
      return new Promise((resolve, reject) => {
        const fail = (error: Error) => {
          finish();
          reject(error);
        };
        const timer = setTimeout(() => fail(new BusTimeout(subject, timeoutMs)), timeoutMs);
        const finish = () => {
          clearTimeout(timer);
          waiting.delete(fail);
        };
        waiting.add(fail);
        for (const responder of reached) {
          void encodeAnswer(responder, JSON.parse(text)).then((answer) => {
            finish();
            try {
              resolve(decodeAnswer(answer));
            } catch (error) {
              reject(error);
            }
          });
        }
      });
    },

    respond(subject, handler) {
      open();
      checkSubject(subject, false);
      return responders.add(subject, handler);
    },

    async check() {
      open();
    },

    onAway: () => () => undefined,

    async close() {
      closed = true;
      for (const fail of Array.from(waiting)) fail(new BusClosed());
    },
  };
}
