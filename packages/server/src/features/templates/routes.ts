import { templates as contract, templatePush as pushes } from '@yunxun/contract';
import { implement, type Route } from '../../platform/http/call.ts';
import type { Templates } from './service.ts';

export function templateRoutes(templates: Templates): Route[] {
  const { changes } = templates;
  const own = implement(contract, {
    templateList: ({ tx, acting, input }) => templates.list(tx, acting, input),
    templateDetail: ({ tx, acting, input }) => templates.detail(tx, acting, input),
    templateDefaults: async () => ({ defaults: templates.defaults() }),
    templateCreate: ({ tx, acting, input }) => templates.create(tx, acting, input),
    templateUpdate: ({ tx, acting, input }) => templates.update(tx, acting, input),
    templateCopy: ({ tx, acting, input }) => templates.copy(tx, acting, input),
    templateDelete: ({ tx, acting, input }) => templates.remove(tx, acting, input.id),
    templateVersions: ({ tx, acting, input }) => templates.versions(tx, acting, input.id),
    templateDiff: ({ tx, acting, input }) => templates.diff(tx, acting, input),
  });
  const pushed = implement(pushes, {
    templateModels: ({ tx, acting, input }) => templates.models(tx, acting, input),
    templatePreview: ({ tx, acting, input }) => templates.preview(tx, acting, input),
    templatePreviewDevice: ({ tx, acting, input }) => templates.previewDevice(tx, acting, input),
    templatePreviewWaves: ({ tx, acting, input }) => templates.previewWaves(tx, acting, input),
    templateApply: ({ tx, acting, input }) => changes.apply(tx, acting, input),
    changeList: ({ tx, acting, input }) => changes.list(tx, acting, input),
    changeDetail: ({ tx, acting, input }) => changes.detail(tx, acting, input.change_id),
    changeRetry: ({ tx, acting, input }) => changes.retry(tx, acting, input.change_id),
    changeStop: ({ tx, acting, input }) => changes.stop(tx, acting, input.change_id),
    changeResume: ({ tx, acting, input }) => changes.resume(tx, acting, input),
    templateRollback: ({ tx, acting, input }) => changes.rollback(tx, acting, input),
  });
  return [...own, ...pushed];
}
