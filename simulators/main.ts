/** `npm run simulators`: runs providers as real servers on this machine until it is stopped. */
import { appendFileSync, mkdirSync } from 'node:fs';
import path from 'node:path';
import { type Place, START } from './all.ts';
import type { Simulator } from './frame/simulator.ts';
import { type Name, portOf } from './names.ts';
import { BadOptions, HELP, type Options, readOptions } from './options.ts';
import { settingsText } from './settings.ts';

type Started = Simulator & { controlUrl?: string | undefined };

try {
  await run(readOptions(process.argv.slice(2)));
} catch (error) {
  const description = describeError(error);
  if (description === undefined) throw error;
  console.error(description);
  // Simulators that have started already would keep the process alive.
  process.exit(1);
}

async function run(options: Options): Promise<void> {
  const { task, names, serviceUrl, firstPort } = options;
  if (task === 'print help') return console.log(HELP);
  if (task === 'print settings') {
    const settings = { serviceUrl, portOf: (name: Name) => portOf(name, firstPort) };
    process.stdout.write(settingsText(names, settings));
    return;
  }
  await startSimulators(options);
}

async function startSimulators(options: Options): Promise<void> {
  mkdirSync(options.journalDir, { recursive: true });
  const started: Started[] = [];
  const lines: string[] = [];
  for (const name of options.names) {
    const place = placeFor(name, options);
    // Fails now, and not at the first message, when the journal cannot be written.
    appendFileSync(place.journalFile, '');
    const simulator: Started = await START[name](options.serviceUrl, place);
    started.push(simulator);
    const { url, controlUrl = url } = simulator;
    lines.push(`${name.padEnd(18)}${url.padEnd(26)}${controlUrl}/_simulator  ${place.journalFile}`);
  }
  const stop = async () => {
    await Promise.all(started.map((simulator) => simulator.close()));
    process.exit(0);
  };
  process.once('SIGINT', stop).once('SIGTERM', stop).once('disconnect', stop);
  const head = `Address, control API and journal of each; they report to ${options.serviceUrl}`;
  console.log([head, ...lines.map((line) => `  ${line}`)].join('\n'));
}

function placeFor(name: Name, { firstPort, journalDir }: Options): Required<Place> {
  return {
    port: portOf(name, firstPort),
    controlPort: portOf('smpp control', firstPort),
    journalFile: path.join(journalDir, `${name}.jsonl`),
    // A service that outlives a restart of the simulators must not get the same ids again.
    firstNumber: Date.now(),
  };
}

/** The message for an error that the user can fix; undefined for any other. */
function describeError(error: unknown): string | undefined {
  if (error instanceof BadOptions) return error.message;
  const { code, port, path: file } = error as NodeJS.ErrnoException & { port?: number };
  switch (code) {
    case 'EADDRINUSE':
      return `Port ${port} is taken, maybe by simulators that are already running; choose other ports with --port.`;
    case 'EACCES':
    case 'EPERM':
    case 'EROFS':
    case 'ENOTDIR':
    case 'EEXIST':
      return file === undefined
        ? `Port ${port} needs more permissions; choose other ports with --port.`
        : `The journals cannot be written to ${file}; choose another folder with --journal.`;
    default:
      return undefined;
  }
}
