import pg from 'pg';
import { TEMPLATE } from '../database-server.ts';

/** A clone of the migrated template, on the server that the test file has set up. */
export async function newDatabase(name: string) {
  const server = JSON.parse(String(process.env.ZHIBER_TEST_DATABASE));
  const client = new pg.Client(server);
  await client.connect();
  await client.query(`create database fault_${name} template ${TEMPLATE}`);
  await client.end();
  return { ...server, database: `fault_${name}` };
}
