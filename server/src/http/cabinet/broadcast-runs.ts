import { LARGE_BROADCAST } from '@zhiber/contract/cabinet/broadcast-words.ts';
import type { BROADCAST_RUN_ENDPOINTS } from '@zhiber/contract/cabinet/broadcasts.ts';
import {
  approveBroadcast,
  cancelBroadcast,
  confirmBroadcast,
  pauseBroadcast,
  resumeBroadcast,
  withdrawBroadcast,
} from '../../broadcasts/run/control-broadcast.ts';
import type { CompanyId } from '../../ids.ts';
import { readBroadcastId } from './broadcasts.ts';
import { actorOf, assertFreshSignIn, DONE, type HandlersOf } from './endpoint.ts';

export const BROADCAST_RUN_HANDLERS: HandlersOf<typeof BROADCAST_RUN_ENDPOINTS> = {
  async startBroadcast({ ctx }, call) {
    const { recipients, version } = call.body;
    // A cookie alone must not send to thousands.
    if (recipients >= LARGE_BROADCAST) assertFreshSignIn(ctx, call.user);
    const { state, needsApproval } = await confirmBroadcast(ctx, actorOf(call.user, call.origin), {
      ...targetOf(call),
      recipients,
      version,
    });
    return { success: true, state, needs_approval: needsApproval };
  },

  async approveBroadcast({ ctx }, call) {
    if (call.body.recipients >= LARGE_BROADCAST) assertFreshSignIn(ctx, call.user);
    const request = { ...targetOf(call), ...call.body };
    await approveBroadcast(ctx, actorOf(call.user, call.origin), request);
    return { success: true, state: 'scheduled' };
  },

  async withdrawBroadcast({ ctx }, call) {
    await withdrawBroadcast(ctx, actorOf(call.user, call.origin), targetOf(call));
    return DONE;
  },

  async pauseBroadcast({ ctx }, call) {
    const withChannels = await pauseBroadcast(ctx, actorOf(call.user, call.origin), targetOf(call));
    return { success: true, with_channels: withChannels };
  },

  async resumeBroadcast({ ctx }, call) {
    await resumeBroadcast(ctx, actorOf(call.user, call.origin), targetOf(call));
    return DONE;
  },

  async cancelBroadcast({ ctx }, call) {
    const target = { ...targetOf(call), name: call.body.name };
    await cancelBroadcast(ctx, actorOf(call.user, call.origin), target);
    return DONE;
  },
};

function targetOf(call: { companyId: CompanyId; params: Readonly<Record<string, string>> }) {
  return { companyId: call.companyId, id: readBroadcastId(call.params.id) };
}
