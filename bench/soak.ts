import { median } from './measure.ts';
import { type LoadClient, residentMegabytes } from './processes.ts';
import type { Client, Service } from './service.ts';

export type Soak = {
  minutes: number;
  perSecond: number;
  /** Resident memory of the server in megabytes: in the second minute, and in the last. */
  earlyMegabytes: number;
  lateMegabytes: number;
  ratio: number;
};

const SAMPLE_MS = 5_000;
const CONNECTIONS = 64;

/** Sends for minutes without a pause, to find memory leaks. */
export async function soak(
  client: LoadClient,
  service: Service,
  sender: Client,
  numbers: { next: number },
  minutes: number,
): Promise<Soak> {
  const samples: number[] = [];
  const sampling = setInterval(() => samples.push(residentMegabytes(service.pid)), SAMPLE_MS);
  const [result] = await client.run({
    port: service.port,
    connections: CONNECTIONS,
    seconds: minutes * 60,
    calls: [{ kind: 'send', from: numbers.next, keys: [sender.key] }],
  });
  clearInterval(sampling);
  numbers.next += result?.callsSent ?? 0;
  const perMinute = 60_000 / SAMPLE_MS;
  const earlyMegabytes = median(samples.slice(perMinute, 2 * perMinute));
  const lateMegabytes = median(samples.slice(-perMinute));
  return {
    minutes,
    perSecond: result?.perSecond ?? 0,
    earlyMegabytes,
    lateMegabytes,
    ratio: lateMegabytes / earlyMegabytes,
  };
}
