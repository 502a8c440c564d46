import { Switches as SwitchesBody, type TrySession } from '@zhiber/contract/try.ts';
import type { FastifyInstance } from 'fastify';
import { readBalance } from '../../billing/balance.ts';
import type { Context } from '../../context.ts';
import { listOwnGroups } from '../../groups/link-group.ts';
import { type CompanyId, isId } from '../../ids.ts';
import { findTimeline } from '../../messages/timeline.ts';
import { Problem } from '../../problem.ts';
import type { Sandbox } from '../../sandbox/sandbox.ts';
import type { Switches } from '../../sandbox/test-numbers.ts';
import { bodyReader } from '../transport/body.ts';
import { createEventStreams } from '../transport/event-stream.ts';
import { refuseOtherSites } from '../transport/same-site.ts';
import { shown } from './inbox.ts';

const REPLAYED_MAX = 50;

/**
 * What `/try` asks for without a sign-in. It exists in the sandbox alone, where nothing leaves the
 * machine.
 */
export function addTryEndpoints(app: FastifyInstance, ctx: Context, sandbox: Sandbox): void {
  const readSwitches = bodyReader(SwitchesBody);
  // The answers hold keys and codes, so no page of another site may ask for them.
  app.addHook('onRequest', async (request) => refuseOtherSites(request, ctx.urls.publicUrl));

  app.get('/try/session', async (): Promise<TrySession> => {
    const demo = ctx.demo;
    // The server listens before its demo company is there.
    if (demo === undefined) throw new Problem('service_unavailable', { retry_after: 1 });
    return {
      success: true,
      base_url: `${ctx.urls.publicUrl}/api`,
      keys: demo.keys,
      company: {
        name: demo.name,
        balance: await readBalance(ctx, demo.companyId),
      },
      prices: await ctx.prices.read(demo.companyId),
      is_sms_per_part: ctx.config.isSmsPricedPerPart,
      groups: (await listOwnGroups(ctx, demo.companyId)).map(({ name, channel }) => ({
        name,
        channel,
      })),
    };
  });

  app.get('/try/switches', () => ({
    success: true,
    switches: shownSwitches(sandbox.switches),
  }));
  app.put('/try/switches', (request) => {
    const body = readSwitches(request.body);
    sandbox.switches = {
      noWhatsapp: body.no_whatsapp,
      noTelegram: body.no_telegram,
      offline: body.offline,
      notMobile: body.not_mobile,
    };
    return { success: true, switches: shownSwitches(sandbox.switches) };
  });

  app.get('/try/messages/:id', async (request) => {
    const { id } = request.params as { id: string };
    const companyId = sandbox.phone.ownerOf(id);
    const demo = ctx.demo;
    const owner = companyId ?? demo?.companyId;
    if (owner === undefined || !isId(id)) throw new Problem('not_found');
    const timeline = await findTimeline(ctx.db, owner as CompanyId, id);
    if (timeline === undefined) throw new Problem('not_found');
    return { success: true, ...timeline };
  });

  app.delete('/try/messages', () => {
    sandbox.phone.clear();
    return { success: true, message: 'Телефон очищен' };
  });

  addEvents(app, ctx, sandbox);
}

/** Everything that happens in the phone, as it happens. */
function addEvents(app: FastifyInstance, ctx: Context, sandbox: Sandbox): void {
  const streams = createEventStreams(app);

  app.get('/try/events', (request, reply) => {
    const stream = streams.open(request, reply);
    const sendBalance = async () => {
      const demo = ctx.demo;
      if (demo === undefined) return;
      stream.send('balance', { balance: await readBalance(ctx, demo.companyId) });
    };

    const showMessage = (message: Parameters<typeof shown>[0]) =>
      stream.send('message', { ...shown(message), mode: message.isTest ? 'test' : 'live' });
    for (const message of sandbox.phone.recent(REPLAYED_MAX)) showMessage(message);
    stream.send('replayed', {});
    stream.onEnd(sandbox.phone.listen(showMessage));
    stream.onEnd(
      sandbox.onChange((messageId) => {
        stream.send('receipt', { message_id: messageId });
        sendBalance().catch((error) => ctx.log.debug(error, 'balance for the phone page'));
      }),
    );
  });
}

function shownSwitches(switches: Switches) {
  return {
    no_whatsapp: switches.noWhatsapp,
    no_telegram: switches.noTelegram,
    offline: switches.offline,
    not_mobile: switches.notMobile,
  };
}
