/**
 * The service as `zhiber serve` runs it, but with the operator's channels as its providers, and
 * with the crash point or the fault that the environment names. Reads PORT and DATA_DIR or
 * DATABASE_URL like the real one; OPERATOR_URL and RECEIPTS_PORT are its own.
 */
import { createServer } from 'node:http';
import { flushCompileCache } from 'node:module';
import { json } from 'node:stream/consumers';
import pino from 'pino';
import type { ReceiptReport } from '../../src/channels/channel.ts';
import { endProcess } from '../../src/cli/end-process.ts';
import { untilTold } from '../../src/cli/until-told.ts';
import { readConfig } from '../../src/config/config.ts';
import { watchStatements } from './crash-points.ts';
import { operatorChannels } from './operator-channels.ts';
import { plantFault } from './plant-fault.ts';

const { OPERATOR_URL = '', RECEIPTS_PORT, PLANTED_FAULT } = process.env;
watchStatements();
const isPlanted = plantFault(PLANTED_FAULT);
// Loaded only now, so that the fault is in it.
const { openApp } = await import('../../src/app.ts');
const { recordReceipt } = await import('../../src/delivery/receipts/record-receipt.ts');

const told = untilTold();
const config = readConfig(process.env);
const log = pino({ level: config.logLevel }, pino.destination({ dest: 2, sync: true }));
const app = await openApp(config, log, operatorChannels(OPERATOR_URL));
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
// A process that is killed has no other chance to leave it to the next one.
flushCompileCache();
receipts.listen(Number(RECEIPTS_PORT), '127.0.0.1');

await told;
receipts.close();
receipts.closeAllConnections();
await app.stop();
endProcess(0);
