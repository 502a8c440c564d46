import type { FastifyInstance } from 'fastify';
import Type from 'typebox';
import { findBalance } from '../../billing/ledger-store.ts';
import { currentPrices } from '../../billing/price-store.ts';
import { findDemo } from '../../company/demo-company.ts';
import type { Context } from '../../context.ts';
import { listGroups } from '../../group/group-store.ts';
import { readTimeline } from '../../history/timeline.ts';
import { type CompanyId, isId } from '../../ids.ts';
import { Problem } from '../../problem.ts';
import type { Sandbox } from '../../sandbox/sandbox.ts';
import type { Switches } from '../../sandbox/test-numbers.ts';
import { bodyReader } from '../body.ts';
import { langOf, sendPage } from '../pages/add-pages.ts';
import { tryPage } from '../pages/try-page.ts';
import { createEventStreams } from '../streams/event-stream.ts';
import { shown } from './inbox.ts';

const SwitchesBody = Type.Object({
  no_whatsapp: Type.Boolean(),
  no_telegram: Type.Boolean(),
  offline: Type.Boolean(),
  not_mobile: Type.Boolean(),
});

const REPLAYED_MAX = 50;

/**
 * The page with the virtual phone. It exists in the sandbox alone, where nothing leaves the
 * machine.
 */
export function addTryPage(app: FastifyInstance, ctx: Context, sandbox: Sandbox): void {
  const readSwitches = bodyReader(SwitchesBody);

  app.get('/try', (request, reply) => sendPage(reply, tryPage({ lang: langOf(request) })));

  app.get('/try/session', async (_request, reply) => {
    const demo = findDemo(ctx);
    if (demo === undefined) throw new Problem('not_found');
    reply.header('cache-control', 'no-store');
    return {
      success: true,
      base_url: `${ctx.urls.publicUrl}/api`,
      keys: demo.keys,
      company: {
        name: demo.name,
        balance: (await findBalance(ctx.db, demo.companyId)) ?? 0,
      },
      prices: await currentPrices(ctx.db),
      switches: shownSwitches(sandbox.switches),
      groups: (await listGroups(ctx.db, demo.companyId)).map(({ id, name, channel }) => ({
        id,
        name,
        channel,
      })),
    };
  });

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
    const demo = findDemo(ctx);
    const owner = companyId ?? demo?.companyId;
    if (owner === undefined || !isId(id)) throw new Problem('not_found');
    const timeline = await readTimeline(ctx.db, owner as CompanyId, id);
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
      const demo = findDemo(ctx);
      const balance = demo && (await findBalance(ctx.db, demo.companyId));
      if (balance !== undefined) stream.send('balance', { balance });
    };

    const showMessage = (message: Parameters<typeof shown>[0]) =>
      stream.send('message', { ...shown(message), mode: message.isTest ? 'test' : 'live' });
    for (const message of sandbox.phone.recent(REPLAYED_MAX)) showMessage(message);
    stream.send('replayed', {});
    stream.onEnd(sandbox.phone.listen(showMessage));
    stream.onEnd(
      sandbox.onChange((messageId) => {
        stream.send('status', { message_id: messageId });
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
