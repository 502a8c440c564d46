import { once } from 'node:events';
import { type AddressInfo, connect } from 'node:net';
import { after, test } from 'node:test';
import { until, useService } from '../harness.ts';

const service = useService();

test('the server disconnects a page that stops reading the events of the virtual phone', async () => {
  await service.http.listen({ port: 0, host: '127.0.0.1' });
  const { port } = service.http.server.address() as AddressInfo;
  const reader = connect(port, '127.0.0.1');
  after(() => reader.destroy());
  reader.on('error', () => undefined);
  reader.write('GET /try/events HTTP/1.1\r\nHost: localhost\r\n\r\n');
  await once(reader, 'readable');
  reader.pause();

  let count = 0;
  const { phone } = service.sandbox;
  const receiveMessage = () =>
    phone.receive({
      messageId: `m${++count}`,
      companyId: 1,
      keyId: 1,
      isTest: false,
      phone: '+77010000001',
      channel: 'sms',
      kind: 'link',
      text: 'я'.repeat(10_000),
      code: null,
      link: null,
      at: new Date(),
    } as never);
  await until('the connection is closed by the server', async () => {
    for (let i = 0; i < 50; i++) receiveMessage();
    return await new Promise<boolean>((resolve) =>
      service.http.server.getConnections((_error, count) => resolve(count === 0)),
    );
  });
});
