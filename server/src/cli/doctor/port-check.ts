import { createServer } from 'node:net';
import type { Config } from '../../config/config.ts';
import { type Check, failed, passed } from './check.ts';
import type { DoctorTexts } from './doctor-texts.ts';

const HEALTH_LIMIT_MS = 3_000;

/** Whether a start could have its port, or Zhiber has it already. */
export async function checkPort(config: Config, texts: DoctorTexts): Promise<Check> {
  const { port } = config;
  if (port === 0) return passed('port', texts.anyPort);
  const served = await askHealth(config);
  if (served?.status === 'ok') return passed('port', texts.served(port, served.version ?? '?'));
  if (served !== undefined) return failed('port', texts.unwell(port));
  if (await canListen(config)) return passed('port', texts.portFree(port));
  // A port that nobody chose gives way to the next one.
  return config.portWasSet
    ? failed('port', texts.portTaken(port))
    : passed('port', texts.portMoves(port));
}

type Health = { status?: string; version?: string };

/** What a Zhiber on this port says of itself; undefined when there is none. */
async function askHealth({ host, port }: Config): Promise<Health | undefined> {
  const name = ['0.0.0.0', '::'].includes(host) ? 'localhost' : host;
  const address = name.includes(':') ? `[${name}]` : name;
  try {
    const response = await fetch(`http://${address}:${port}/api/health`, {
      signal: AbortSignal.timeout(HEALTH_LIMIT_MS),
    });
    const answer = (await response.json()) as Health & { success?: unknown };
    return typeof answer.success === 'boolean' ? answer : undefined;
  } catch {
    return undefined;
  }
}

function canListen({ host, port }: Config): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(false));
    server.listen(port, host, () => server.close(() => resolve(true)));
  });
}
