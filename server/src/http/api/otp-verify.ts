import { CODE_VERIFIED } from '@zhiber/contract/api/answer-texts.ts';
import type { OtpVerifyAnswer, OtpVerifyRequest } from '@zhiber/contract/api/otp.ts';
import { PURPOSE_DEFAULT } from '@zhiber/contract/api/otp.ts';
import { type VerifyOtpRequest, verifyOtp, wasVerified } from '../../otp/verify-otp.ts';
import type { Call, EndpointHandler } from './endpoint.ts';

const VERIFIED: OtpVerifyAnswer = { success: true, message: CODE_VERIFIED };

export const otpVerify: EndpointHandler<OtpVerifyRequest, OtpVerifyAnswer> = {
  async run(ctx, call) {
    await verifyOtp(ctx, toRequest(call));
    return VERIFIED;
  },
  async resume(ctx, call) {
    return (await wasVerified(ctx, toRequest(call))) ? VERIFIED : undefined;
  },
};

function toRequest(call: Call<OtpVerifyRequest>): VerifyOtpRequest {
  const { key, body, subject, isRepeatable } = call;
  return {
    key,
    phone: body.phone,
    code: body.code,
    purpose: body.purpose ?? PURPOSE_DEFAULT,
    claim: isRepeatable ? subject : null,
  };
}
