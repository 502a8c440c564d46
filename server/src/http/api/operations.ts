import { ENDPOINTS } from '@zhiber/contract/api/endpoints.ts';
import type { Operation as OperationName } from '@zhiber/contract/cabinet/playground.ts';
import { createOperation, type Operation } from './endpoint.ts';
import { groupSend } from './group-send.ts';
import { linksSend } from './links-send.ts';
import { linksShorten } from './links-shorten.ts';
import { otpSend } from './otp-send.ts';
import { otpVerify } from './otp-verify.ts';

/** Every operation that an API key can call. */
export const OPERATIONS: Readonly<Record<OperationName, Operation>> = {
  otpSend: createOperation(ENDPOINTS.otpSend, otpSend),
  otpVerify: createOperation(ENDPOINTS.otpVerify, otpVerify),
  linkShorten: createOperation(ENDPOINTS.linkShorten, linksShorten),
  linkSend: createOperation(ENDPOINTS.linkSend, linksSend),
  groupSend: createOperation(ENDPOINTS.groupSend, groupSend),
};
