import type { personalSecurity } from '@yunxun/contract';
import { Failure } from '../../platform/failure.ts';
import type { Handlers } from '../../platform/http/call.ts';
import { rightsChanged } from '../../platform/live/index.ts';
import { sessions, tokens } from '../identity/index.ts';
import { record } from '../logs/index.ts';
import { type PersonalDeps, personIn, selfIn, warn } from './context.ts';

type Parts = Pick<
  Handlers<typeof personalSecurity>,
  'sessionList' | 'sessionEnd' | 'sessionEndOthers' | 'tokenList' | 'tokenCreate' | 'tokenRevoke'
>;

const pageOf = ({ page = 1, limit = 10 }: { page?: number; limit?: number }) => ({ offset: (page - 1) * limit, limit });

/** Sessions and API tokens; ending one closes its open pages. */
export function accessHandlers(deps: PersonalDeps): Parts {
  const { database, clock, bus } = deps;
  return {
    async sessionList({ tx, identity, input }) {
      const { list, total } = await sessions.sessionsOf(tx, personIn(identity), clock.now(), pageOf(input));
      return {
        list: list.map(({ created_at, last_active_at, expires_at, ...row }) => ({
          ...row,
          current: row.id === identity.sessionId,
          created_at: created_at.toISOString(),
          last_active_at: last_active_at.toISOString(),
          expires_at: expires_at.toISOString(),
        })),
        total,
      };
    },

    async sessionEnd({ identity, acting, input: { id } }) {
      const person = personIn(identity);
      await database.withSystem(async (tx) => {
        if (!(await sessions.ownsSession(tx, person, id))) throw new Failure('notFound');
        await sessions.endSession(tx, person.accountId, id);
        await record(tx, acting, {
          action: 'person.end_session',
          object: { type: 'session', id, name: identity.actor.name },
        });
        rightsChanged(tx, bus, person.personId);
      });
      return {};
    },

    async sessionEndOthers({ identity, acting }) {
      const person = personIn(identity);
      return database.withSystem(async (tx) => {
        const ended = await sessions.endSessionsOf(tx, person, identity.sessionId);
        await record(tx, acting, {
          action: 'person.end_other_sessions',
          object: selfIn(identity),
          after: { ended_sessions: ended },
          command: true,
        });
        rightsChanged(tx, bus, person.personId);
        return { ended };
      });
    },

    async tokenList({ tx, identity, input }) {
      const { list, total } = await tokens.tokensOf(tx, personIn(identity), pageOf(input));
      return {
        list: list.map(({ id, name, scope, areas, gwids, created_at, expires_at, last_used_at, last_ip }) => ({
          id,
          name,
          scope,
          areas,
          gwids,
          last_ip,
          created_at: created_at.toISOString(),
          expires_at: expires_at.toISOString(),
          last_used_at: last_used_at?.toISOString() ?? null,
        })),
        total,
      };
    },

    async tokenCreate({ identity, acting, input: { name, scope, areas, gwids, days } }) {
      const person = personIn(identity);
      return database.withSystem(async (tx) => {
        const made = await tokens.createToken(tx, person, { name, scope, areas, gwids, days }, clock.now());
        await record(tx, acting, {
          action: 'person.create_token',
          object: { type: 'token', id: made.id, name },
          after: { scope, areas, gwids, days },
        });
        await warn(tx, deps, person, 'tokenCreated', { name });
        return made;
      });
    },

    async tokenRevoke({ identity, acting, input: { id } }) {
      const person = personIn(identity);
      await database.withSystem(async (tx) => {
        const name = await tokens.revokeToken(tx, person, id);
        await record(tx, acting, { action: 'person.revoke_token', object: { type: 'token', id, name } });
        rightsChanged(tx, bus, person.personId);
      });
      return {};
    },
  };
}
