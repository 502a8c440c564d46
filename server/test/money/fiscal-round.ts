/**
 * A process of its own that registers one receipt, to be killed in the middle of it. Its arguments:
 * the connection to the database as JSON, and the address of the cash register.
 */
import pino from 'pino';
import { WEBKASSA } from '../../../simulators/credentials.ts';
import { readConfig } from '../../src/config/config.ts';
import { openDatabase } from '../../src/db/database.ts';
import { registerNext } from '../../src/papers/register-receipts.ts';
import { openWebkassa } from '../../src/payments/webkassa.ts';

const [, , connection = '', url = ''] = process.argv;
const log = pino({ level: 'silent' });
const db = openDatabase(JSON.parse(connection), log, 10_000);
await registerNext({ db, log, config: readConfig({}) }, openWebkassa({ ...WEBKASSA, url }));
