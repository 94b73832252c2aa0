import { api } from '@yunxun/contract';
import type { FastifyInstance } from 'fastify';
import { implement, type Route } from '../platform/http/call.ts';
import { enrolScript } from './enrol-script.ts';
import { type EnrolmentOptions, enrol } from './enrolment.ts';

export interface UplinkRoutesOptions extends EnrolmentOptions {
  server: { host: string; port: number };
  /** PEM; verifies agent versions. */
  signingKey: string;
}

export function uplinkRoutes(options: UplinkRoutesOptions): Route[] {
  return implement(api.uplink, {
    async deviceEnroll({ input, caller }) {
      const issued = await enrol(options, {
        bindingCode: input.binding_code,
        serial: input.serial,
        csr: input.csr,
        platform: input.platform ?? null,
        model: input.model ?? null,
        gwid: input.gwid ?? null,
        renews: input.renews ?? false,
        proof: input.proof ?? null,
        address: caller.ip,
      });
      const { host, port } = options.server;
      return {
        certificate: issued.certificate,
        ca: options.authority.certificate,
        server: host,
        port,
        signing_key: options.signingKey,
      };
    },
  });
}

export function mountEnrolScript(app: FastifyInstance, publicUrl: string): void {
  const script = enrolScript(publicUrl);
  app.get('/enroll.sh', async (_request, reply) =>
    reply.header('cache-control', 'no-cache').type('text/x-shellscript; charset=utf-8').send(script),
  );
}
