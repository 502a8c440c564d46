import { createServer } from 'node:net';
import type { Config } from '../../config/config.ts';
import { type Check, failed, passed } from './check.ts';
import type { DoctorTexts } from './doctor-texts.ts';

const HEALTH_TIMEOUT_MS = 3_000;

/** Whether the port is free, or already served by Zhiber. */
export async function checkPort(config: Config, texts: DoctorTexts): Promise<Check> {
  const { port } = config;
  if (port === 0) return passed('port', texts.anyPort);
  const health = await findHealth(config);
  if (health?.status === 'ok') return passed('port', texts.served(port, health.version ?? '?'));
  if (health !== undefined) return failed('port', texts.unwell(port));
  if (await canListen(config)) return passed('port', texts.portFree(port));
  // A default port falls back to the next free one; a configured port does not.
  return config.isPortSet
    ? failed('port', texts.portTaken(port))
    : passed('port', texts.portMoves(port));
}

type Health = { status?: string; version?: string };

/** The health answer of a Zhiber on this port; undefined when there is none. */
async function findHealth({ host, port }: Config): Promise<Health | undefined> {
  const name = ['0.0.0.0', '::'].includes(host) ? 'localhost' : host;
  const address = name.includes(':') ? `[${name}]` : name;
  try {
    const response = await fetch(`http://${address}:${port}/api/health`, {
      signal: AbortSignal.timeout(HEALTH_TIMEOUT_MS),
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
