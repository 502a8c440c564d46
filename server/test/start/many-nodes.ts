/** Several real processes of the service on one database, which none of them owns. */
import { createCompany } from '../../src/company/create-company.ts';
import { openEmbedded } from '../../src/db/embedded.ts';
import { createKey, type KeySettings } from '../../src/keys/manage-keys.ts';
import { topUp } from '../../src/topups/top-up.ts';
import { newPhone } from '../outages/load-client.ts';
import { asOperator, audit } from '../outages/outage-server.ts';
import { copyPreparedCluster } from '../prepared-cluster.ts';
import { toDatabaseUrl } from '../test-database.ts';
import { type Answer, ask, createHome, createSql, type Settings } from './serve-harness.ts';

const BALANCE = 100_000;

export type ManyNodes = Awaited<ReturnType<typeof openNodes>>;
export type Node = Awaited<ReturnType<ReturnType<typeof createHome>['serve']>>;

/** Starts all of them at once. */
export async function openNodes(count: number, settings: Settings) {
  const home = createHome();
  copyPreparedCluster(home.dataDir);
  const embedded = await openEmbedded({ dataDir: home.dataDir, as: 'visitor', log() {} });
  const serve = (more: Settings = {}): Promise<Node> =>
    home.serve({
      SECRET: 'a secret for tests alone, long enough',
      DATABASE_URL: toDatabaseUrl(embedded.connection),
      PUBLIC_URL: 'http://localhost:3000',
      LOG_LEVEL: 'warn',
      ...settings,
      ...more,
    });
  const close = async () => {
    await home.endAll();
    await embedded.stop();
    await home.remove();
  };
  let nodes: Node[];
  try {
    nodes = await Promise.all(Array.from({ length: count }, () => serve()));
  } catch (error) {
    await close();
    throw error;
  }
  return {
    nodes,
    sql: createSql(home.dataDir),
    /** Starts another one. */
    serve,
    run: home.run,
    /** A key of a new company with money. */
    createKey: (changes: Partial<KeySettings> = {}): Promise<string> =>
      asOperator(home.dataDir, async (tools) => {
        const { companyId } = await createCompany(tools, 'Проверка');
        await topUp(tools, { companyId, amount: BALANCE });
        const key = { companyId, name: 'ключ', isTest: false, ...changes };
        return (await createKey(tools.db, key)).key;
      }),
    /** Asks one of them for a code. */
    async send(
      node: Node,
      { key, ...body }: { key: string; phone?: string; channel: string },
    ): Promise<Answer & { phone: string }> {
      const phone = body.phone ?? newPhone();
      const question = { path: '/otp/send', key, body: { ...body, phone } };
      return { ...(await ask(node.facts.port, question)), phone };
    },
    audit: () => audit(home),
    close,
  };
}
