import { ENDPOINTS } from '@zhiber/contract/api/endpoints.ts';
import type { Operation as OperationName } from '@zhiber/contract/cabinet/playground.ts';
import { type Operation, operationOf } from './endpoint.ts';
import { groupSend } from './group-send.ts';
import { linksSend } from './links-send.ts';
import { linksShorten } from './links-shorten.ts';
import { otpSend } from './otp-send.ts';
import { otpVerify } from './otp-verify.ts';

/** Everything that can be done with a key. */
export const OPERATIONS: Readonly<Record<OperationName, Operation>> = {
  otpSend: operationOf(ENDPOINTS.otpSend, otpSend),
  otpVerify: operationOf(ENDPOINTS.otpVerify, otpVerify),
  linkShorten: operationOf(ENDPOINTS.linkShorten, linksShorten),
  linkSend: operationOf(ENDPOINTS.linkSend, linksSend),
  groupSend: operationOf(ENDPOINTS.groupSend, groupSend),
};
