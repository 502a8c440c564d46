/**
 * `npm run simulators`: every provider as a real server on this machine, until it is stopped.
 *
 *   --service URL   where the service is that they report to (http://localhost:3000)
 *   --settings      only prints the settings that connect a service to them, for its .env
 */
import { parseArgs } from 'node:util';
import { startAll } from './all.ts';

const { values: options } = parseArgs({
  options: {
    service: { type: 'string', default: 'http://localhost:3000' },
    settings: { type: 'boolean', default: false },
  },
});

const simulators = await startAll({ serviceUrl: options.service, hasFixedPorts: true });
const { http: _generic, ...blocks } = simulators.settings;
if (options.settings) {
  for (const [name, value] of Object.values(blocks).flatMap((block) => Object.entries(block))) {
    console.log(`${name}=${value}`);
  }
  await simulators.close();
} else {
  const { cloud, green, gateway, bot, smpp, smsc, mobizon, http } = simulators;
  console.log('What reached a phone: curl -s ADDRESS/_simulator/journal');
  for (const { name, url } of [cloud, green, gateway, bot, smpp, smsc, mobizon, http]) {
    console.log(`  ${name.padEnd(18)} ${url}`);
  }
  const stop = () => simulators.close().then(() => process.exit(0));
  process.once('SIGINT', stop).once('SIGTERM', stop).once('disconnect', stop);
}
