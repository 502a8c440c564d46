import assert from 'node:assert/strict';
import { insertGroup } from '../../server/src/groups/group-store.ts';
import { useService } from '../../server/test/harness.ts';

export type Sandbox = {
  site: string;
  apiUrl: string;
  /** A live key of a company with tokens and a group; in the sandbox nothing leaves the service. */
  key: string;
  /** The newest message in the virtual phone, as an integrator reads it. */
  readMessage(
    phone: string,
  ): Promise<{ text: string; code: string | null; link: string | null; count: number }>;
};

/** The service in the sandbox, listening on a port of its own. `open` is for the tests to await. */
export function useSandbox() {
  const service = useService();
  let opened: Promise<Sandbox> | undefined;

  const openSandbox = async (): Promise<Sandbox> => {
    const site = await service.http.listen({ port: 0, host: '127.0.0.1' });
    const { key, companyId } = await service.key({ balance: 5_000 });
    const group = { channel: 'telegram', name: 'Дежурные', chatId: '-100777' } as const;
    await insertGroup(service.ctx.db, { companyId, ...group });
    await service.markPaid(companyId);
    const readMessage = async (phone: string) => {
      const search = new URLSearchParams({ phone, wait: '10' });
      const answer = await fetch(`${site}/sandbox/messages?${search}`, {
        headers: { authorization: `Bearer ${key}` },
      });
      const { messages } = (await answer.json()) as {
        messages: { text: string; code: string | null; link: string | null }[];
      };
      const message = messages.at(-1);
      assert(message !== undefined, `no message came to ${phone}`);
      return { ...message, count: messages.length };
    };
    return { site, apiUrl: `${site}/api`, key, readMessage };
  };

  return {
    service,
    open(): Promise<Sandbox> {
      opened ??= openSandbox();
      return opened;
    },
  };
}

/** A code that is not this one. */
export function wrongCode(code: string): string {
  return code === '111111' ? '222222' : '111111';
}
