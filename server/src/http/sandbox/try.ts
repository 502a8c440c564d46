import type { FastifyInstance } from 'fastify';
import Type from 'typebox';
import { findBalance } from '../../billing/ledger-store.ts';
import { currentPrices } from '../../billing/price-store.ts';
import { findDemo } from '../../company/demo-company.ts';
import type { Context } from '../../context.ts';
import { listGroups } from '../../group/group-store.ts';
import { readTimeline } from '../../history/timeline.ts';
import type { CompanyId, MessageId } from '../../ids.ts';
import { Problem } from '../../problem.ts';
import type { Sandbox } from '../../sandbox/sandbox.ts';
import type { Switches } from '../../sandbox/test-numbers.ts';
import { bodyReader } from '../body.ts';
import { langOf, sendPage } from '../pages/add-pages.ts';
import { tryPage } from '../pages/try-page.ts';
import { shown } from './inbox.ts';

const SwitchesBody = Type.Object({
  no_whatsapp: Type.Boolean(),
  no_telegram: Type.Boolean(),
  offline: Type.Boolean(),
  not_mobile: Type.Boolean(),
});

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const REPLAYED_MAX = 50;
const HEARTBEAT_MS = 15_000;
const UNREAD_BYTES_MAX = 1024 * 1024;

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
    if (owner === undefined || !UUID.test(id)) throw new Problem('not_found');
    const timeline = await readTimeline(ctx.db, owner as CompanyId, id as MessageId);
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
  const open = new Set<() => void>();
  app.addHook('preClose', async () => {
    for (const end of open) end();
  });

  app.get('/try/events', (request, reply) => {
    reply.hijack();
    const stream = reply.raw;
    stream.writeHead(200, {
      'content-type': 'text/event-stream',
      'cache-control': 'no-store',
      'x-request-id': request.id,
    });
    // Without this the page would not know that it is connected before something happens.
    stream.flushHeaders();
    const send = (event: string, content: object) => {
      stream.write(`event: ${event}\ndata: ${JSON.stringify(content)}\n\n`);
      // Whoever does not read would have everything kept for them; the page simply connects again.
      if (stream.writableLength > UNREAD_BYTES_MAX) stream.destroy();
    };
    const sendBalance = async () => {
      const demo = findDemo(ctx);
      const balance = demo && (await findBalance(ctx.db, demo.companyId));
      if (balance !== undefined) send('balance', { balance });
    };

    const showMessage = (message: Parameters<typeof shown>[0]) =>
      send('message', { ...shown(message), mode: message.isTest ? 'test' : 'live' });
    for (const message of sandbox.phone.recent(REPLAYED_MAX)) showMessage(message);
    const stopListening = sandbox.phone.listen(showMessage);
    const stopHearing = sandbox.onChange((messageId) => {
      send('status', { message_id: messageId });
      sendBalance().catch((error) => ctx.log.debug(error, 'balance for the phone page'));
    });
    const heartbeat = setInterval(() => stream.write(': still here\n\n'), HEARTBEAT_MS);
    const end = () => stream.end();
    open.add(end);
    stream.once('close', () => {
      clearInterval(heartbeat);
      stopListening();
      stopHearing();
      open.delete(end);
    });
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
