/** `npm run simulators`: providers as real servers on this machine, until they are stopped. */
import { appendFileSync, mkdirSync } from 'node:fs';
import path from 'node:path';
import { type Place, START } from './all.ts';
import type { Simulator } from './frame/http-simulator.ts';
import { type Name, portOf } from './names.ts';
import { BadOptions, HELP, type Options, readOptions } from './options.ts';
import { settingsText } from './settings.ts';

type Started = Simulator & { controlUrl?: string | undefined };

try {
  await run(readOptions(process.argv.slice(2)));
} catch (error) {
  const sentence = sentenceOf(error);
  if (sentence === undefined) throw error;
  console.error(sentence);
  // Those that have started already would keep the process alive.
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
  await startSome(options);
}

async function startSome(options: Options): Promise<void> {
  mkdirSync(options.journalDir, { recursive: true });
  const started: Started[] = [];
  const lines: string[] = [];
  for (const name of options.names) {
    const place = placeOf(name, options);
    // Now, and not with the first message, it is seen whether it can be written.
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
  const head = `Each with its address, its control, and its journal; they report to ${options.serviceUrl}`;
  console.log([head, ...lines.map((line) => `  ${line}`)].join('\n'));
}

function placeOf(name: Name, { firstPort, journalDir }: Options): Required<Place> {
  return {
    port: portOf(name, firstPort),
    controlPort: portOf('smpp control', firstPort),
    journalFile: path.join(journalDir, `${name}.jsonl`),
    // A service that outlives them must not be given ids that it knows already.
    firstNumber: Date.now(),
  };
}

/** For what whoever started it can mend; undefined for a fault of ours. */
function sentenceOf(error: unknown): string | undefined {
  if (error instanceof BadOptions) return error.message;
  const { code, port, path: file } = error as NodeJS.ErrnoException & { port?: number };
  switch (code) {
    case 'EADDRINUSE':
      return `Port ${port} is taken, maybe by simulators that run already; --port gives them others.`;
    case 'EACCES':
    case 'EPERM':
    case 'EROFS':
    case 'ENOTDIR':
    case 'EEXIST':
      return file === undefined
        ? `Port ${port} needs more rights; --port gives them others.`
        : `The journals cannot be written to ${file}; --journal gives them another folder.`;
    default:
      return undefined;
  }
}
