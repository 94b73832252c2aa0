import type { TableFile } from '../../platform/http/download.ts';
import { presentOperation, presentSignIn } from './service.ts';
import { type LoggedSignIn, type SignInFilter, signInsBeyond } from './sign-in-store.ts';
import { type OperationFilter, type OperationLogTable, operationsBeyond } from './store.ts';

const json = (value: unknown): string => (value === null ? '' : JSON.stringify(value));

/** Actions stay keys: only the console has their texts. */
export const operationFile: TableFile<OperationFilter, OperationLogTable> = {
  name: 'operations',
  permission: 'log.read',
  columns: {
    time: (row) => row.at,
    seq: (row) => row.seq,
    operator: (row) => row.operator,
    hosted: (row) => row.operator_account_id !== null,
    token: (row) => row.token_name,
    source: (row) => row.source,
    ip: (row) => row.ip,
    action: (row) => row.action,
    object_type: (row) => row.object_type,
    object_id: (row) => row.object_id,
    object_name: (row) => row.object_name,
    gwid: (row) => row.gwid,
    result: (row) => row.result,
    before: (row) => json(row.before),
    after: (row) => json(row.after),
    job_id: (row) => row.job_id,
    undoes: (row) => row.undoes,
  },
  json: presentOperation,
  page: (tx, { accountId, filter }, after, limit) => operationsBeyond(tx, accountId, filter, after?.seq ?? null, limit),
};

export const signInFile: TableFile<SignInFilter, LoggedSignIn> = {
  name: 'sign-ins',
  permission: 'log.read',
  columns: {
    time: (row) => row.at,
    account: (row) => row.login,
    action: (row) => row.action,
    method: (row) => row.method,
    ip: (row) => row.ip,
    browser: (row) => row.user_agent,
    new_place: (row) => row.new_place,
    result: (row) => row.result,
    reason: (row) => row.reason,
  },
  json: presentSignIn,
  page: (tx, { accountId, filter }, after, limit) => signInsBeyond(tx, accountId, filter, after?.id ?? null, limit),
};
