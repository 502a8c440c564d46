/**
 * The service as `zhiber serve` runs it, but with the provider simulator for its channels, and with
 * the crash point or the planted fault that the environment names. PROVIDER_URL and RECEIPTS_PORT
 * are additional settings.
 */
import { createServer } from 'node:http';
import { flushCompileCache } from 'node:module';
import { json } from 'node:stream/consumers';
import pino from 'pino';
import type { ReceiptReport } from '../../src/channels/channel.ts';
import { endProcess } from '../../src/cli/end-process.ts';
import { waitForShutdown } from '../../src/cli/wait-for-shutdown.ts';
import { readConfig } from '../../src/config/config.ts';
import { installCrashPoints } from './crash-points.ts';
import { plantFault } from './plant-fault.ts';
import { simulatorChannels } from './simulator-channels.ts';

const { PROVIDER_URL = '', RECEIPTS_PORT, PLANTED_FAULT } = process.env;
installCrashPoints();
const isPlanted = plantFault(PLANTED_FAULT);
// Imported after the hook is registered, so that the fault is planted in it.
const { openApp } = await import('../../src/app.ts');
const { recordReceipt } = await import('../../src/delivery/record-receipt.ts');

const shutdown = waitForShutdown();
const config = readConfig(process.env);
const log = pino({ level: config.logLevel }, pino.destination({ dest: 2, sync: true }));
const app = await openApp(config, log, { adapters: simulatorChannels(PROVIDER_URL) });
if (!isPlanted()) throw new Error(`${PLANTED_FAULT} was not planted everywhere`);

const receipts = createServer(async (request, response) => {
  try {
    await recordReceipt(app.ctx, (await json(request)) as ReceiptReport);
    response.end();
  } catch (error) {
    log.warn({ err: error }, 'receipt not stored');
    response.writeHead(503).end();
  }
});
// A killed process has no other chance to store the cache for the next start.
flushCompileCache();
receipts.listen(Number(RECEIPTS_PORT), '127.0.0.1');

await shutdown;
receipts.close();
receipts.closeAllConnections();
await app.stop();
endProcess(0);
